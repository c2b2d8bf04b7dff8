// `outcall container list`: the containers that have checked in.
import { formatJson } from "../core/json.ts";
import { ContainerList } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatTable } from "./layout.ts";

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
    const rows = containers.value.map(({ id, name, image, since }) => [id, name, image === "" ? "-" : image, since]);
    io.stdout(formatTable(["ID", "NAME", "IMAGE", "SINCE"], rows));
    return 0;
  },
});
