// Cgroups that a test makes as root, to move processes of the host into: on the hierarchy of version 2 where that is
// mounted, else on the first of version 1.
import { chownSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CgroupMount, mountOf, readCgroupMounts } from "../../../src/container/cgroup-mount.ts";
import { idInPath } from "../../../src/container/cgroup-path.ts";
import { type CgroupLine, parseCgroup } from "../../../src/peer/proc.ts";

/** A cgroup that `hostCgroup` or `cgroupBelow` made; `remove` takes it away with those above it that were missing. */
export class TestCgroup {
  readonly path: string;
  readonly #made: string[] = [];

  /** Makes a cgroup and what is missing above it. */
  constructor(mountPath: string, path: string) {
    this.path = join(mountPath, path);
    const missing: string[] = [];
    for (let next = this.path; next !== mountPath; next = dirname(next)) missing.unshift(next);
    for (const directory of missing) {
      if (mkdirSync(directory, { recursive: true }) !== undefined) this.#made.unshift(directory);
    }
  }

  /** Moves a process here. */
  hold(pid: number): void {
    writeFileSync(join(this.path, "cgroup.procs"), String(pid));
  }

  /** Gives the cgroup's directory to a user. */
  giveTo(uid: number): void {
    chownSync(this.path, uid, uid);
  }

  /** Removes it; its processes must have left or ended. */
  remove(): void {
    for (const directory of this.#made) rmdirSync(directory);
  }
}

/** Makes a cgroup of the host. */
export function hostCgroup(path: string): TestCgroup {
  const mounts = hierarchies();
  const mount = mounts.find(({ controllers }) => controllers === null) ?? mounts[0];
  if (mount === undefined) throw new Error("no cgroup hierarchy is mounted");
  return new TestCgroup(mount.path, path);
}

/** Makes a cgroup below the one that a container's process is in; the engine removes it with the container. */
export function cgroupBelow(pid: number, name: string): TestCgroup {
  for (const line of linesOf(pid)) {
    const mount = mountOf(line, hierarchies());
    if (mount !== undefined && idInPath(line.path) !== undefined) {
      return new TestCgroup(mount.path, join(line.path, name));
    }
  }
  throw new Error("process is in no container's cgroup");
}

/** Moves a process to the root of every hierarchy. */
export function moveHome(pid: number): void {
  for (const line of linesOf(pid)) {
    const mount = mountOf(line, hierarchies());
    if (mount !== undefined) writeFileSync(join(mount.path, "cgroup.procs"), String(pid));
  }
}

function linesOf(pid: number): readonly CgroupLine[] {
  const lines = parseCgroup(readFileSync(`/proc/${pid}/cgroup`, "latin1"));
  if (!lines.ok) throw new Error(lines.error.message);
  return lines.value;
}

function hierarchies(): readonly CgroupMount[] {
  const mounts = readCgroupMounts();
  if (!mounts.ok) throw new Error(mounts.error.message);
  return mounts.value;
}
