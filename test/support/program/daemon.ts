// The built outcalld in directories of its own, started for a test and ended with it; and an independent HTTP client.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "./programs.ts";

/** Rule files by name. */
export type RuleFiles = { readonly [name: string]: string };

/** Flags for a daemon without container engine and bridge. */
export const PLAIN_FLAGS: readonly string[] = ["--containers", "namespace", "--bridge", "none"];

/** How a daemon is to be started. */
export type DaemonPlan = {
  readonly rules: RuleFiles;
  readonly flags: readonly string[];
  /** A command prefix, to run the daemon on an engine's host. */
  readonly before?: readonly string[];
  /** The command of the daemon, if it is not the built program. */
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The parent of the daemon's directories, for a daemon of an ordinary user. */
  readonly directory?: string;
};

/** The directories of one daemon. */
export type DaemonFiles = {
  readonly dir: string;
  readonly rulesDir: string;
  readonly hostSocket: string;
  readonly agentSocket: string;
};

/** One structured log record. */
export type LogRecord = Readonly<Record<string, unknown>>;

/** Creates the directories and writes the rules, without starting a daemon. */
export function layOut(rules: RuleFiles, parent = tmpdir()): DaemonFiles {
  const dir = mkdtempSync(join(parent, "outcall-daemon-"));
  chmodSync(dir, 0o755);
  const rulesDir = join(dir, "rules.d");
  for (const [name, mode] of [["rules.d", 0o755], ["host", 0o700], ["agent", 0o755], ["state", 0o700]] as const) {
    mkdirSync(join(dir, name), { mode });
  }
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(rulesDir, name), text, { mode: 0o644 });
  return {
    dir,
    rulesDir,
    hostSocket: join(dir, "host", "host.sock"),
    agentSocket: join(dir, "agent", "agent.sock"),
  };
}

/** The command line of outcalld for these directories. */
export function daemonArgv(
  files: DaemonFiles,
  flags: readonly string[],
  command: readonly string[] = program("outcalld"),
): readonly string[] {
  const paths = ["--rules-dir", files.rulesDir, "--socket", files.hostSocket, "--agent-socket", files.agentSocket];
  return [...command, ...paths, "--state-dir", join(files.dir, "state"), "--log-format", "json", ...flags];
}

/** A running daemon. */
export class Daemon {
  readonly files: DaemonFiles;
  readonly process: ChildProcess;
  readonly records: LogRecord[] = [];
  #partial = "";
  #changed: () => void = () => {};

  /** Takes over a process that was started with these directories. */
  constructor(files: DaemonFiles, process: ChildProcess) {
    this.files = files;
    this.process = process;
    process.stderr?.on("data", (chunk) => this.#read(String(chunk)));
    process.once("exit", () => this.#changed());
  }

  #read(text: string): void {
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) this.records.push(line.startsWith("{") ? JSON.parse(line) : { text: line });
    this.#changed();
  }

  /**
   * Waits for a log record with these members, among those already written and those to come. Fails if the daemon ends
   * first.
   */
  async record(wanted: LogRecord): Promise<LogRecord> {
    for (;;) {
      const found = this.records.find((each) => Object.entries(wanted).every(([key, value]) => each[key] === value));
      if (found !== undefined) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`outcalld ended without ${JSON.stringify(wanted)}: ${JSON.stringify(this.records)}`);
      }
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Sends a signal and waits until the daemon ends; returns the exit code. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exited = once(this.process, "exit");
      this.process.kill(signal);
      await exited;
    }
    return this.process.exitCode;
  }

  /** Ends the daemon and removes its directories. */
  async dispose(): Promise<void> {
    this.process.kill("SIGCONT");
    await this.end("SIGKILL");
    rmSync(this.files.dir, { recursive: true, force: true });
  }
}

/** Starts the built daemon and waits until it is ready. */
export async function startDaemon(plan: DaemonPlan): Promise<Daemon> {
  const files = layOut(plan.rules, plan.directory);
  const [program = "", ...rest] = [...(plan.before ?? []), ...daemonArgv(files, plan.flags, plan.command)];
  const child = spawn(program, rest, {
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, ...plan.environment },
  });
  const daemon = new Daemon(files, child);
  await daemon.record({ event: "ready" });
  return daemon;
}

/** An answer as received from the socket. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: unknown;
};

/** Sends one request over a Unix socket with Node's HTTP client. */
export function callSocket(socketPath: string, method: string, path: string, body?: unknown): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request({ socketPath, method, path, headers, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.once("error", reject);
      answer.once(
        "end",
        () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(text) }),
      );
    });
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
