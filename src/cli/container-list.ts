// `outcall container list`: the containers that have checked in.
import { flagSwitch } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { ContainerList } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { formatTable } from "./layout.ts";

/** The command. */
export const containerList: CliCommand = {
  command: {
    path: ["container", "list"],
    summary: "list the containers that have checked in",
    arguments: [],
    flags: [],
  },
  run: async (plan, io) => {
    const containers = await ask(plan, { method: "GET", path: "/api/v1/containers", data: ContainerList });
    if (!containers.ok) return fail(io, containers.error);
    if (flagSwitch(plan, "json")) {
      io.stdout(`${formatJson({ version: 1, containers: containers.value })}\n`);
      return 0;
    }
    const rows = containers.value.map(({ id, name, image, since }) => [id, name, image === "" ? "-" : image, since]);
    io.stdout(formatTable(["ID", "NAME", "IMAGE", "SINCE"], rows));
    return 0;
  },
};
