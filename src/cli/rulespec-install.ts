// `outcall rulespec install <file>`: checks a rulespec and copies it into the daemon's directory, for one container name or
// as the default. It applies to envelopes that are submitted afterwards.
import { join } from "node:path";
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { replaceFile } from "../file/replace-file.ts";
import { loadRulespec, rulespecFileName } from "../rulespec/load-rulespec.ts";
import { StatusData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { reportNotLoaded } from "./rulespec-load.ts";

const INSTALL_FLAGS = defineFlags({
  agent: {
    value: "name",
    summary: "container that the rulespec is for; without it, every container without its own rulespec",
  },
  "rulespec-dir": { value: "path", summary: "directory of rulespecs", otherwise: "the running daemon's" },
});

/** The command. */
export const rulespecInstall = cliCommand({
  command: {
    usage: "rulespec install <file>",
    summary: "check a rulespec and copy it into the daemon's directory",
    flags: INSTALL_FLAGS,
    examples: [
      ["outcall rulespec install rulespec.yaml", "use it for every container without a rulespec"],
      ["outcall rulespec install rulespec.yaml --agent builder", "use it for the container named builder"],
    ],
  },
  run: async (plan, io) => {
    const path = plan.arguments.file;
    const agent = plan.flags.agent;
    const name = rulespecFileName(agent ?? "default");
    if (name === undefined) {
      return fail(io, problem("command.usage", `--agent is the name of a container, not ${quote(agent ?? "")}`));
    }
    const { rulespec, findings, source } = loadRulespec(path);
    if (rulespec === null) {
      return reportNotLoaded({ findings, sources: new Map([[path, source]]) }, plan, io, "nothing is installed");
    }
    const dir = await findDirectory(plan);
    if (!dir.ok) return fail(io, dir.error);
    const file = join(dir.value, name);
    const written = replaceFile(file, source, INSTALLED_MODE);
    if (!written.ok) return fail(io, problem("command.input", written.error));
    const shown = `Rulespec installed as ${escapeWhole(file)}.\n`;
    io.stdout(plan.flags.json ? `${formatJson({ version: 1, file })}\n` : shown);
    return 0;
  },
});

/** The mode of an installed rulespec: the daemon refuses a file that others can write. */
const INSTALLED_MODE = 0o644;

async function findDirectory(plan: CliPlan<typeof INSTALL_FLAGS>): Promise<Result<string, Problem>> {
  const given = plan.flags["rulespec-dir"];
  if (given !== undefined) return ok(given);
  const status = await ask(plan, { method: "GET", path: "/api/v1/status", data: StatusData });
  if (!status.ok) return status;
  const { dir } = status.value.rulespec;
  if (dir !== null) return ok(dir);
  const hint = "start it with --rulespec-dir, or name the directory: --rulespec-dir <path>";
  return err(problem("command.input", "the daemon has no directory of rulespecs", { hint }));
}
