// The daemon of a section: the built program with its own defaults, its log in a file as a supervisor keeps it. A pipe that
// the benchmark reads would make the benchmark's own work part of what is measured.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { daemonArgv, type DaemonFiles, layOut, type RuleFiles } from "../test/support/program/daemon.ts";

/** How long something may take to start, in milliseconds: a load of 10,000 rules on a busy machine. */
const START_MS = 30_000;

/** A process that was started for a section, and how to end it. */
export type Started = { readonly child: ChildProcess; readonly stop: () => Promise<void> };

/** A running daemon. */
export type Rig = { readonly files: DaemonFiles; readonly child: ChildProcess; readonly stop: () => Promise<void> };

/** Flags without which nothing can be measured here: no engine, no bridge, and a rate that is out of the way. */
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

/** Waits for something, looking every few milliseconds. */
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
