// `outcall container list`: the containers that have checked in.
import { systemClock } from "../core/clock.ts";
import { formatJson } from "../core/json.ts";
import { ContainerList } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatAge } from "./duration.ts";
import { formatTable, lookOf } from "./layout.ts";

/** The command. */
export const containerList = cliCommand({
  command: {
    usage: "container list",
    summary: "list the containers that have checked in",
    flags: {},
    examples: [
      ["outcall container list", "show the id, name and image of each container"],
      ["outcall container list --json", "print the same as JSON, for a script"],
    ],
  },
  run: async (plan, io) => {
    const containers = await ask(plan, { method: "GET", path: "/api/v1/containers", data: ContainerList });
    if (!containers.ok) return fail(io, containers.error);
    if (plan.flags.json) {
      io.stdout(`${formatJson({ version: 1, containers: containers.value })}\n`);
      return 0;
    }
    if (containers.value.length === 0) {
      io.stdout("no container has checked in\n");
      return 0;
    }
    const look = lookOf(plan, io);
    const rows = containers.value.map(({ id, name, image, since }) => {
      const shownId = look.columns === null ? id : shortId(id);
      const shownSince = look.columns === null ? since : `${formatAge(since, systemClock.now())} ago`;
      return [shownId, name, image === "" ? "-" : image, shownSince];
    });
    io.stdout(formatTable(["ID", "NAME", "IMAGE", "SINCE"], rows, look));
    return 0;
  },
});

/** Digits of an id that a terminal shows, as Docker does; `outcall log --container` accepts them for the whole id. */
const SHORT_ID_LENGTH = 12;

function shortId(id: string): string {
  return /^[0-9a-f]{64}$/.test(id) ? id.slice(0, SHORT_ID_LENGTH) : id;
}
