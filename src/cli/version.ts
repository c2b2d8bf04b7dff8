// `outcall version`, the same as `--version`.
import { flagSwitch } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { VERSION } from "../core/version.ts";
import type { CliCommand } from "./cli-command.ts";

/** The line that `--version` prints. */
export const VERSION_LINE = `outcall ${VERSION}\n`;

/** The command. */
export const version: CliCommand = {
  command: { path: ["version"], summary: "print the version", arguments: [], flags: [] },
  run: async (plan, io) => {
    io.stdout(flagSwitch(plan, "json") ? `${formatJson({ version: 1, outcall: VERSION })}\n` : VERSION_LINE);
    return 0;
  },
};
