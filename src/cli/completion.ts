// `outcall completion bash | zsh | fish`: prints the completion script for a shell.
import type { Program } from "../command/command.ts";
import { formatBashCompletion, formatFishCompletion, formatZshCompletion } from "../command/completion-scripts.ts";
import { didYouMean } from "../core/nearest.ts";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { type CliCommand, cliCommand, fail } from "./cli-command.ts";

const FORMATS: Readonly<Record<string, (program: Program) => string>> = {
  bash: formatBashCompletion,
  zsh: formatZshCompletion,
  fish: formatFishCompletion,
};

/** The shells. */
export const SHELLS: readonly string[] = Object.keys(FORMATS);

/** The command; it needs the table of the whole program. */
export function completionOf(program: () => Program): CliCommand {
  return cliCommand({
    command: {
      usage: "completion <shell>",
      summary: `print the completion script for a shell: ${SHELLS.join(", ")}`,
      completes: { words: SHELLS },
      flags: {},
      examples: [["outcall completion bash", "print the script, to be put into /etc/bash_completion.d/outcall"]],
    },
    run: (plan, io) => {
      const { shell } = plan.arguments;
      const format = Object.hasOwn(FORMATS, shell) ? FORMATS[shell] : undefined;
      if (format !== undefined) {
        io.stdout(format(program()));
        return Promise.resolve(0);
      }
      const hint = didYouMean(shell, SHELLS) ?? `one of ${SHELLS.join(", ")}`;
      return Promise.resolve(fail(io, problem("command.usage", `unknown shell ${quote(shell)}`, { hint })));
    },
  });
}
