// `outcall rule reload`: loads the rules again, or says why the previous ones stay active (S003-IF-004, AS-009, EC-015).
import { flagSwitch } from "../command/command.ts";
import { countOf } from "../core/count.ts";
import { formatJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { escapeWhole } from "../core/quote.ts";
import { ReloadData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, type ExitCode, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";

/** The command. */
export const ruleReload: CliCommand = {
  command: { path: ["rule", "reload"], summary: "load the rules directory anew", arguments: [], flags: [] },
  run: async (plan, io) => {
    const reloaded = await ask(plan, { method: "POST", path: "/api/v1/rules/reload", data: ReloadData });
    if (!reloaded.ok) return failReload(io, reloaded.error);
    io.stdout(
      flagSwitch(plan, "json") ? `${formatJson({ version: 1, ...reloaded.value })}\n` : formatReload(reloaded.value),
    );
    return 0;
  },
};

// What is left in force stands on a line of its own, also where what is said before it was cut.
function failReload(io: Io, found: Problem): ExitCode {
  if (found.code !== "daemon.reload-failed") return fail(io, found);
  const exit = fail(io, { ...found, message: found.message.replace(/\. Previous rules remain active\.$/, "") });
  io.stderr("Previous rules remain active.\n");
  return exit;
}

function formatReload({ files_loaded, rules_loaded, warnings }: ReloadData): string {
  const counts = `Rules reloaded: ${countOf(files_loaded, "file")}, ${countOf(rules_loaded, "rule")} loaded.\n`;
  if (warnings.length === 0) return counts;
  return `${counts}Warnings:\n${warnings.map((warning) => `  ${escapeWhole(warning)}\n`).join("")}`;
}
