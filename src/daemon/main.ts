// outcalld from its command line to its exit code.
import { versions } from "node:process";
import type { URL } from "node:url";
import type { Environment } from "../command/command.ts";
import { formatHelp } from "../command/help.ts";
import { parseArgv } from "../command/parse-argv.ts";
import { checkRuntime } from "../command/runtime.ts";
import { countOf } from "../core/count.ts";
import { systemClock } from "../core/clock.ts";
import { finish } from "../core/interruptible.ts";
import { meaningOf, type Problem } from "../core/problem.ts";
import { ok } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import { configOf } from "./config.ts";
import type { RulespecSource } from "../envelope/rulespec-source.ts";
import { compileAsUsual } from "./engine.ts";
import { logFindings, reportFindings } from "../reload/report-findings.ts";
import { loadDirectory, type LoadedRules, type LoadOptions, loadStable } from "../reload/load-directory.ts";
import { fingerprintOf } from "../rule/fingerprint.ts";
import { type Log, startLog } from "../log/logger.ts";
import { clearHalfApproved } from "./open-requests.ts";
import { type Notice, notify } from "./notify.ts";
import { OUTCALLD } from "./program.ts";
import { checkRulespecs } from "../envelope/rulespec-findings.ts";
import { startDaemon } from "./start.ts";

/** The process of the program: its arguments, environment, output and signals. */
export type Process = {
  /** The file of the program, which its workers run too. */
  readonly entry: URL;
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly isTerminal: boolean;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Calls the listener for each SIGHUP, and at once if one came before. */
  readonly onHangUp: (listener: () => void) => void;
  /** Resolves with the name of the signal that stops the program. */
  readonly stopped: Promise<string>;
};

/** Runs the daemon until a signal stops it, and returns the exit code. */
export async function main(process: Process): Promise<number> {
  const runtime = checkRuntime(versions);
  if (!runtime.ok) return fail(process, runtime.error);
  const plan = parseArgv(OUTCALLD, process.argv, process.environment);
  if (!plan.ok) return fail(process, plan.error);
  if (plan.value.kind === "help") {
    process.writeOut(formatHelp(OUTCALLD, plan.value.topic));
    return 0;
  }
  if (plan.value.kind === "version") {
    process.writeOut(`outcalld ${VERSION}\n`);
    return 0;
  }
  const config = configOf(plan.value);
  if (!config.ok) return fail(process, config.error);
  const { rulesDir, rulespec, agentTimeoutMs, checkOnly } = config.value;
  const cleared = checkOnly ? ok(null) : clearHalfApproved(config.value);
  if (!cleared.ok) return fail(process, cleared.error);
  const options = { dir: rulesDir, agentTimeoutMs, program: process.entry };
  const loaded = await loadStable(() => loadFirst(options), rulesDir, systemClock);
  if (checkOnly) {
    reportFindings(loaded.findings, rulesDir, process.writeOut);
    process.writeOut(
      `${countOf(loaded.files, "file")}, ${countOf(loaded.rules, "rule")}, ${
        countOf(loaded.findings.length, "finding")
      }\n`,
    );
    const isSound = rulespec === null || reportRulespecs(rulespec, process.writeOut);
    return loaded.set === null || !isSound ? 1 : 0;
  }
  if (loaded.set === null) {
    reportFindings(loaded.findings, rulesDir, process.writeError);
    process.writeError("Error: the rules do not load, nothing is served\n");
    return 1;
  }
  const log = startLog(config.value, process.isTerminal, process.writeError);
  finish(logFindings(loaded.findings, rulesDir, log));
  const { set, fingerprint } = loaded;
  const load = () => loadDirectory(options);
  const daemon = await startDaemon(config.value, { load, set, fingerprint, program: process.entry }, log);
  if (!daemon.ok) return fail(process, daemon.error);
  compileAsUsual();
  process.onHangUp(daemon.value.reload);
  tellSupervisor(process, "READY=1", log);
  const signal = await process.stopped;
  log.info("stopping", { signal });
  tellSupervisor(process, "STOPPING=1", log);
  await daemon.value.stop();
  log.info("stopped", {});
  return 0;
}

/** Larger rules directories are loaded with a thread and compiled code. Some hundred rules have this size, and load in 0.1 s. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Loads a rules directory before anything is served. A small one is read and parsed by this thread: another thread would keep
 * memory that no later work needs, and would take longer to start than the parsing takes.
 */
export async function loadFirst(options: LoadOptions): Promise<LoadedRules> {
  const { sizeBytes } = await fingerprintOf(options.dir);
  if (sizeBytes <= SMALL_BYTES) return await loadDirectory({ ...options, program: null });
  compileAsUsual();
  return await loadDirectory(options);
}

// Every envelope fails against a rulespec that does not load.
function reportRulespecs(source: RulespecSource, write: (text: string) => void): boolean {
  const { files, findings } = checkRulespecs(source);
  reportFindings(findings, "", write);
  write(`${countOf(files, "rulespec")}, ${countOf(findings.length, "finding")}\n`);
  return findings.every(({ severity }) => severity !== "error");
}

// A failed notice does not stop the daemon: the supervisor has a time limit of its own.
function tellSupervisor({ environment }: Process, notice: Notice, log: Log): void {
  const target = environment["NOTIFY_SOCKET"];
  if (target === undefined || target === "") return;
  const notified = notify(target, notice);
  if (!notified.ok) log.warning("notify.failed", { notice, reason: notified.error.message });
}

function fail(process: Process, found: Problem): number {
  const hint = found.hint === undefined ? "" : ` (${found.hint})`;
  process.writeError(`Error: ${found.message}${hint}\n`);
  // Other exit codes of the table are the shim's.
  return meaningOf(found.code).exit === 2 ? 2 : 1;
}
