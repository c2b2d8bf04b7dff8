// Cgroup lines -> container id. Each engine has its own form of cgroup names with the container's 64-digit id in it. A
// container that may make cgroups can choose any name below its own cgroup, so only the outermost id counts. A name is only
// a claim: callers verify the cgroup with `isWithin` or by the owner of its directory.
import { err, ok, type Result } from "../core/result.ts";
import type { CgroupLine } from "../peer/proc.ts";

const ID = "[0-9a-f]{64}";

// The forms of names. A plain id: Docker, containerd, CRI and Podman with the cgroupfs driver. A prefix and `.scope`: the
// systemd driver. Colons: a systemd name given to the cgroupfs driver. The monitors of Podman and CRI-O
// (`libpod-conmon-<id>.scope`) are processes of the host and must not match.
const NAMES: readonly RegExp[] = [
  new RegExp(`^(${ID})$`),
  new RegExp(`^(?:docker|libpod|libpod-payload|cri-containerd|crio|nerdctl|containerd)-(${ID})(?:\\.scope)?$`),
  new RegExp(`^[^:]+:(?:docker|cri-containerd|crio|nerdctl|containerd|libpod):(${ID})$`),
];

/** Returns the container id in the name of a cgroup directory, if an engine made the name. */
export function idInName(name: string): string | undefined {
  for (const form of NAMES) {
    const id = form.exec(name)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the outermost container id of a cgroup path. */
export function idInPath(path: string): string | undefined {
  return path.split("/").map(idInName).find((id) => id !== undefined);
}

/** Returns the path up to and including the outermost cgroup with a container id. */
export function containerPath(path: string): string | undefined {
  const names = path.split("/");
  const index = names.findIndex((name) => idInName(name) !== undefined);
  return index < 0 ? undefined : names.slice(0, index + 1).join("/");
}

/** Returns the container id of the lines. Lines without an id are ignored; at least one has an id, and all ids are equal. */
export function containerIdOf(lines: readonly CgroupLine[]): Result<string, string> {
  const ids = new Set(lines.map((line) => idInPath(line.path)).filter((id) => id !== undefined));
  const [id] = ids;
  if (id === undefined) return err("no cgroup names a container");
  return ids.size === 1 ? ok(id) : err("cgroups name different containers");
}

/** Whether the name of any cgroup has a container id. */
export function namesContainer(lines: readonly CgroupLine[]): boolean {
  return lines.some((line) => idInPath(line.path) !== undefined);
}

/**
 * Whether a process is in, or below, the cgroup of the container's first process, on a hierarchy where both paths have
 * the container's id. Only a user who may write the container's cgroup can put a process there.
 */
export function isWithin(lines: readonly CgroupLine[], first: readonly CgroupLine[], id: string): boolean {
  return lines.some((line) => {
    const outer = first.find((other) => other.hierarchy === line.hierarchy);
    if (outer === undefined || idInPath(outer.path) !== id || idInPath(line.path) !== id) return false;
    return line.path === outer.path || line.path.startsWith(`${outer.path}/`);
  });
}
