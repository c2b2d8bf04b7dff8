// Cgroups that a test creates as root and moves processes of the host into. They are in the version 2 hierarchy if it
// is mounted, otherwise in the first hierarchy of version 1.
import { chownSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CgroupMount, mountOf, readCgroupMounts } from "../../../src/container/cgroup-mount.ts";
import { idInPath } from "../../../src/container/cgroup-path.ts";
import { type CgroupLine, parseCgroup } from "../../../src/peer/proc.ts";

/** A cgroup made by `hostCgroup` or `cgroupBelow`; `remove` also removes the parents that were created for it. */
export class TestCgroup {
  readonly path: string;
  readonly #made: string[] = [];

  /** Creates a cgroup and its missing parents. */
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

  /** Changes the owner of the cgroup's directory. */
  giveTo(uid: number): void {
    chownSync(this.path, uid, uid);
  }

  /** Removes the cgroup; its processes must have left or ended. */
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

/** Creates a cgroup below that of a container's process; the engine removes it together with the container. */
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
