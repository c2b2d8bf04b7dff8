// `outcall version`, the same as `--version`.
import { formatJson } from "../core/json.ts";
import { VERSION } from "../core/version.ts";
import { cliCommand } from "./cli-command.ts";

/** The line that `--version` prints. */
export const VERSION_LINE = `outcall ${VERSION}\n`;

/** The command. */
export const version = cliCommand({
  command: {
    usage: "version",
    summary: "print the version",
    flags: {},
    examples: [["outcall version --json", "print the version as JSON"]],
  },
  run: async (plan, io) => {
    io.stdout(plan.flags.json ? `${formatJson({ version: 1, outcall: VERSION })}\n` : VERSION_LINE);
    return 0;
  },
});
