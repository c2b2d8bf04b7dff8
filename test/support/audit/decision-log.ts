// A built daemon on directories that outlive it, and `outcall log` on its decision log.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { callSocket, Daemon, daemonArgv, type DaemonFiles, PLAIN_FLAGS, type RawAnswer } from "../program/daemon.ts";
import { AgentProcess, type CheckAnswer } from "../agent/agent-process.ts";
import { program } from "../program/programs.ts";
import { type Ended, runProgram } from "../program/run-program.ts";

/** Allows `quiet`, allows and logs `loud`, and blocks everything else. */
export const LOG_RULES = {
  "a.yaml": `version: "1"
rules:
  - {id: quiet, condition: 'run.tool == "quiet"', action: allow}
  - {id: loud, condition: 'run.tool == "loud"', action: allow, log: true}
  - {id: told, condition: 'run.tool == "told"', action: block, reason: ask the operator}
`,
};

/** A rate that no test reaches. */
const ANY_RATE = ["--agent-perm-rate", "1000000/1"];

/** Starts the daemon on existing directories, which an earlier daemon may have used. */
export async function runDaemon(files: DaemonFiles, flags: readonly string[] = PLAIN_FLAGS): Promise<Daemon> {
  const [command = "", ...rest] = daemonArgv(files, [...flags, ...ANY_RATE]);
  const daemon = new Daemon(files, spawn(command, rest, { stdio: ["ignore", "inherit", "pipe"] }));
  await daemon.record({ event: "ready" });
  return daemon;
}

/** The state directory of a daemon's directories. */
export function stateOf({ dir }: DaemonFiles): string {
  return join(dir, "state");
}

/** Sends a what-if about a program to the host socket. */
export function evaluate({ hostSocket }: DaemonFiles, tool: string, mark = ""): Promise<RawAnswer> {
  const context = { run: { tool, args: [mark] } };
  return callSocket(hostSocket, "POST", "/api/v1/rule/evaluate", { context });
}

// One agent process per socket, even if its daemon is restarted.
const agents = new Map<string, AgentProcess>();

/** Asks the agent socket about a program; `mark` makes the record recognizable. */
export function check({ agentSocket }: DaemonFiles, tool: string, mark = ""): Promise<CheckAnswer> {
  const agent = agents.get(agentSocket) ?? new AgentProcess(agentSocket);
  agents.set(agentSocket, agent);
  return agent.check(`/bin/${tool}`, [mark]);
}

/** Ends the processes of `check`. */
export function stopAgents(): void {
  for (const agent of agents.values()) agent.stop();
  agents.clear();
}

/** A record as `outcall log --json` prints it. */
export type PrintedRecord = Readonly<Record<string, unknown>> & {
  readonly context?: { readonly run?: { argv?: readonly string[] } };
};

/** Runs `outcall log` on a state directory. */
export function outcallLog(stateDir: string, ...argv: readonly string[]): Promise<Ended> {
  return runProgram([...program("outcall"), "log", ...argv, "--state-dir", stateDir]);
}

/** All records of a state directory, as the program prints them. */
export async function printedRecords(stateDir: string, ...argv: readonly string[]): Promise<readonly PrintedRecord[]> {
  const { code, stdout, stderr } = await outcallLog(stateDir, "--json", ...argv);
  if (code !== 0) throw new Error(`outcall log: exit ${code}: ${stderr}`);
  return stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The marks of the decision records. */
export function marksOf(records: readonly PrintedRecord[]): readonly string[] {
  return records.flatMap(({ context }) => context?.run?.argv ?? []);
}
