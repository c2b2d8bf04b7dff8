// The daemon of a benchmark section: the built program with its default settings. It logs to a file, because reading a
// pipe would add the benchmark's own work to the measurement.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { daemonArgv, type DaemonFiles, layOut, type RuleFiles } from "../test/support/program/daemon.ts";

/** How long a program may take to start, in milliseconds: enough for 10,000 rules on a busy machine. */
const START_MS = 30_000;

/** A process that was started for a section, with the function that stops it. */
export type Started = { readonly child: ChildProcess; readonly stop: () => Promise<void> };

/** A running daemon. */
export type Rig = { readonly files: DaemonFiles; readonly child: ChildProcess; readonly stop: () => Promise<void> };

/** Flags that every measurement needs: no Docker, no bridge, and a rate limit that is never reached. */
const FLAGS = ["--containers", "namespace", "--bridge", "none", "--agent-perm-rate", "1000000/1"];

/** Starts the built daemon, or a copy of it, and waits until it is ready. */
export async function startRig(rules: RuleFiles, command?: readonly string[]): Promise<Rig> {
  const files = layOut(rules);
  const path = join(files.dir, "log");
  const log = openSync(path, "a");
  const [program = "", ...rest] = daemonArgv(files, FLAGS, command);
  const { child, stop } = track(spawn(program, rest, { stdio: ["ignore", "ignore", log] }));
  closeSync(log);
  await until(`outcalld is ready (${path})`, () => readFileSync(path, "utf8").includes('"event":"ready"'));
  const dispose = async () => {
    await stop();
    rmSync(files.dir, { recursive: true, force: true });
  };
  return { files, child, stop: dispose };
}

/** Starts a program that listens on a socket. */
export async function startListener(command: string, args: readonly string[], socket: string): Promise<Started> {
  const started = track(spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] }));
  await until(`there is ${socket}`, () => existsSync(socket));
  return started;
}

/** Polls until a condition is true. */
async function until(what: string, isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + START_MS;
  while (!isTrue()) {
    if (performance.now() > endMs) throw new Error(`it did not come about that ${what}`);
    await setTimeout(5);
  }
}

function track(child: ChildProcess): Started {
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { child, stop };
}
