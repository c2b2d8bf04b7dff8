// The operator's side: the built daemon with the rules of a test, and the built commands.
import { afterAll } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  callSocket,
  Daemon,
  daemonArgv,
  type DaemonFiles,
  layOut,
  type LogRecord,
  PLAIN_FLAGS,
  type RuleFiles,
} from "../program/daemon.ts";
import { program } from "../program/programs.ts";
import { type Ended, PLAIN_ENVIRONMENT, runProgram } from "../program/run-program.ts";

/** Flags for a daemon without container engine and bridge that logs everything. */
export const DEBUG_FLAGS = [...PLAIN_FLAGS, "--log-level", "debug"];

/** The daemon's decision about a context. */
export type Decided = {
  readonly decision: string;
  readonly matched_rule: string | null;
  readonly file: string | null;
  readonly logged: boolean;
};

/** A daemon with its operator's commands. */
export class RuleHost {
  readonly daemon: Daemon;
  readonly files: DaemonFiles;

  private constructor(daemon: Daemon) {
    this.daemon = daemon;
    this.files = daemon.files;
  }

  /** Starts the daemon; hooks are scripts in the rules directory, by name. */
  static async start(rules: RuleFiles, hooks: RuleFiles = {}, flags: readonly string[] = []): Promise<RuleHost> {
    const files = layOut(rules);
    for (const [name, text] of Object.entries(hooks)) {
      writeFileSync(join(files.rulesDir, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(files.rulesDir, name), 0o755);
    }
    const [command = "", ...argv] = daemonArgv(files, [...DEBUG_FLAGS, ...flags]);
    const daemon = new Daemon(files, spawn(command, argv, { stdio: ["ignore", "inherit", "pipe"] }));
    await daemon.record({ event: "ready" });
    return new RuleHost(daemon);
  }

  /** Asks the host socket to decide about a context. */
  async evaluate(context: object): Promise<Decided> {
    const answer = await callSocket(this.files.hostSocket, "POST", "/api/v1/rule/evaluate", { context });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return (answer.body as { readonly data: Decided }).data;
  }

  /** Runs a command of the operator against this daemon. */
  outcall(...args: readonly string[]): Promise<Ended> {
    return runProgram([...program("outcall"), "--socket", this.files.hostSocket, ...args]);
  }

  /** Writes a file of the rules directory. */
  write(name: string, text: string): void {
    writeFileSync(join(this.files.rulesDir, name), text, { mode: 0o644 });
  }

  /** The log records with these members. */
  logged(wanted: LogRecord): readonly LogRecord[] {
    const isWanted = (record: LogRecord) => Object.entries(wanted).every(([key, value]) => record[key] === value);
    return this.daemon.records.filter(isWanted);
  }

  /** Ends the daemon and removes its directories. */
  async dispose(): Promise<void> {
    await this.daemon.dispose();
  }
}

/** Returns a function that starts hosts for a test file; all of them end after the file. */
export function ruleHosts(): (rules: RuleFiles, hooks?: RuleFiles) => Promise<RuleHost> {
  const hosts: RuleHost[] = [];
  afterAll(async () => {
    for (const host of hosts) await host.dispose();
  });
  return async (rules, hooks) => {
    const host = await RuleHost.start(rules, hooks);
    hosts.push(host);
    return host;
  };
}

/** The exit status and output of a daemon that refused to start. */
export type Refused = { readonly status: number | null; readonly stderr: string; readonly files: DaemonFiles };

/** Runs the daemon with rules that it must refuse; `prepare` may change the directories first. */
export function refuseToStart(rules: RuleFiles, prepare: (files: DaemonFiles) => void = () => undefined): Refused {
  const files = layOut(rules);
  try {
    prepare(files);
    const [command = "", ...argv] = daemonArgv(files, DEBUG_FLAGS);
    const done = spawnSync(command, argv, { encoding: "utf8", env: PLAIN_ENVIRONMENT, timeout: 20_000 });
    return { status: done.status, stderr: done.stderr, files };
  } finally {
    rmSync(files.dir, { recursive: true, force: true });
  }
}
