// `outcall rule reload`: loads the rules again, or says why the previous ones stay active (S003-IF-004, AS-009, EC-015).
import { countOf } from "../core/count.ts";
import { formatJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { escapeWhole } from "../core/quote.ts";
import { ReloadData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, type ExitCode, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";

/** The command. */
export const ruleReload = cliCommand({
  command: {
    usage: "rule reload",
    summary: "load the rules directory again",
    details: "If the rules do not load, the previous rules stay active.",
    flags: {},
    examples: [["outcall rule reload", "apply edited rule files now"]],
  },
  run: async (plan, io) => {
    const reloaded = await ask(plan, { method: "POST", path: "/api/v1/rules/reload", data: ReloadData });
    if (!reloaded.ok) return failReload(io, reloaded.error);
    io.stdout(
      plan.flags.json ? `${formatJson({ version: 1, ...reloaded.value })}\n` : formatReload(reloaded.value),
    );
    return 0;
  },
});

// The daemon's message ends by saying that the previous rules stay. Text prints that on its own line; JSON keeps it whole.
function failReload(io: Io, found: Problem): ExitCode {
  if (found.code !== "daemon.reload-failed" || io.errors === "json") return fail(io, found);
  const exit = fail(io, { ...found, message: found.message.replace(/\. Previous rules remain active\.$/, "") });
  io.stderr("Previous rules remain active.\n");
  return exit;
}

function formatReload({ files_loaded, rules_loaded, warnings }: ReloadData): string {
  const counts = `Rules reloaded: ${countOf(files_loaded, "file")}, ${countOf(rules_loaded, "rule")} loaded.\n`;
  if (warnings.length === 0) return counts;
  return `${counts}Warnings:\n${warnings.map((warning) => `  ${escapeWhole(warning)}\n`).join("")}`;
}
