// A container without an engine: a process in namespaces of its own, created with unshare(1).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { BUN, Talker } from "../container/container.ts";

/** The user who creates the container, and its namespaces. */
export type NamespaceMaker = {
  /** An ordinary user; root if not set. */
  readonly uid?: number;
  /** Namespaces in addition to the PID namespace, as unshare's option letters. */
  readonly more?: readonly string[];
};

/** The command that runs `argv` as the first process of new namespaces. */
export function unshareArgv(argv: readonly string[], { uid, more = [] }: NamespaceMaker = {}): readonly string[] {
  if (uid === undefined) {
    return ["unshare", "-p", "-f", "-m", "-n", "-u", "-i", "-C", ...more, "--kill-child", "--mount-proc", ...argv];
  }
  return [...asUser(uid), "unshare", "-U", "-r", "-p", "-f", ...more, "--kill-child", "--mount-proc", ...argv];
}

/** An ordinary user: the one that runs the tests, or `nobody` if that is root. */
export const ORDINARY_UID = process.getuid?.() || 65_534;

/** The prefix that runs a command as an ordinary user. */
export function asUser(uid: number): readonly string[] {
  if (process.getuid?.() === uid) return [];
  return ["setpriv", "--reuid", String(uid), "--regid", String(uid), "--clear-groups"];
}

/** Starts a program in namespaces of its own. */
export function startInNamespace(argv: readonly string[], maker: NamespaceMaker = {}): Talker {
  return new Talker(unshareArgv(argv, maker));
}

/**
 * The host pid of the first process of a container that `startInNamespace` started; the container must have answered
 * already.
 */
export function firstPidOf(container: Talker): number {
  const { pid } = container.process;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return Number(children[0]);
}

/** The command that runs `argv` in the pid and mount namespaces of a process. */
export function enterArgv(pid: number, argv: readonly string[]): readonly string[] {
  return ["nsenter", "-t", String(pid), "-p", "-m", "--", ...argv];
}

/** The reason why an ordinary user cannot create containers on this machine, or undefined. */
export function missingUserNamespaces(): string | undefined {
  const [program = "", ...argv] = unshareArgv([BUN, "--version"], { uid: ORDINARY_UID });
  return spawnSync(program, argv).status === 0 ? undefined : "user namespaces for ordinary users";
}
