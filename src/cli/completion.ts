// `outcall completion bash | zsh | fish`: the script that makes a shell complete this program's command lines.
import type { Program } from "../command/command.ts";
import { formatFishCompletion } from "../command/completion-fish.ts";
import { formatBashCompletion, formatZshCompletion } from "../command/completion-posix.ts";
import { didYouMean } from "../core/nearest.ts";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { type CliCommand, fail } from "./cli-command.ts";

const FORMATS: Readonly<Record<string, (program: Program) => string>> = {
  bash: formatBashCompletion,
  zsh: formatZshCompletion,
  fish: formatFishCompletion,
};

/** The shells. */
export const SHELLS: readonly string[] = Object.keys(FORMATS);

/** The command, which needs the whole program's table. */
export function completionOf(program: () => Program): CliCommand {
  return {
    command: {
      path: ["completion"],
      summary: `print the script for a shell: ${SHELLS.join(", ")}`,
      arguments: [{ name: "shell", required: true, completes: { words: SHELLS } }],
      flags: [],
    },
    run: (plan, io) => {
      const shell = plan.arguments[0] ?? "";
      const format = Object.hasOwn(FORMATS, shell) ? FORMATS[shell] : undefined;
      if (format !== undefined) {
        io.stdout(format(program()));
        return Promise.resolve(0);
      }
      const hint = didYouMean(shell, SHELLS) ?? `one of ${SHELLS.join(", ")}`;
      return Promise.resolve(fail(io, problem("command.usage", `unknown shell ${quote(shell)}`, { hint })));
    },
  };
}
