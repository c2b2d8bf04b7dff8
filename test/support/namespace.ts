// A container without an engine: a process in namespaces of its own, made by unshare(1).
import { Talker } from "./container.ts";

/** Who makes the container. */
export type NamespaceMaker = {
  /** An ordinary user; without, root. */
  readonly uid?: number;
  /** Namespaces besides that of pids, in unshare's letters. */
  readonly more?: readonly string[];
};

/** The command that runs `argv` as the first process of new namespaces. */
export function unshareArgv(argv: readonly string[], { uid, more = [] }: NamespaceMaker = {}): readonly string[] {
  if (uid === undefined) {
    return ["unshare", "-p", "-f", "-m", "-n", "-u", "-i", "-C", ...more, "--kill-child", "--mount-proc", ...argv];
  }
  return [...asUser(uid), "unshare", "-U", "-r", "-p", "-f", ...more, "--kill-child", "--mount-proc", ...argv];
}

/** What to put in front of a command to run it as an ordinary user. */
export function asUser(uid: number): readonly string[] {
  return ["setpriv", "--reuid", String(uid), "--regid", String(uid), "--clear-groups"];
}

/** Starts a program in namespaces of its own. */
export function startInNamespace(argv: readonly string[], maker: NamespaceMaker = {}): Talker {
  return new Talker(unshareArgv(argv, maker));
}
