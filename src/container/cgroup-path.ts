// Cgroup lines -> container id. Engines name a container's cgroup after its 64-digit id, each in its own way; a
// container that may make cgroups can name those below its own as it likes, so the outermost id alone counts. A name is
// a claim: that the cgroup really is the container's must be shown by `isWithin` or by who owns its directory.
import { err, ok, type Result } from "../core/result.ts";
import type { CgroupLine } from "../peer/proc.ts";

const ID = "[0-9a-f]{64}";

// The names that engines give. A plain id: Docker, containerd, CRI and Podman with the cgroupfs driver. With a prefix and
// `.scope`: the systemd driver. With colons: a systemd name given to the cgroupfs driver. The monitors of Podman and
// CRI-O (`libpod-conmon-<id>.scope`) are processes of the host and must not match.
const NAMES: readonly RegExp[] = [
  new RegExp(`^(${ID})$`),
  new RegExp(`^(?:docker|libpod|libpod-payload|cri-containerd|crio|nerdctl|containerd)-(${ID})(?:\\.scope)?$`),
  new RegExp(`^[^:]+:(?:docker|cri-containerd|crio|nerdctl|containerd|libpod):(${ID})$`),
];

/** The container id that a cgroup directory's name holds, if it is one of an engine's. */
export function idInName(name: string): string | undefined {
  for (const form of NAMES) {
    const id = form.exec(name)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The outermost container id of a cgroup path. */
export function idInPath(path: string): string | undefined {
  return path.split("/").map(idInName).find((id) => id !== undefined);
}

/** The path of the cgroup that the outermost id names. */
export function containerPath(path: string): string | undefined {
  const names = path.split("/");
  const index = names.findIndex((name) => idInName(name) !== undefined);
  return index < 0 ? undefined : names.slice(0, index + 1).join("/");
}

/** The id on which all lines agree that have one; at least one must. */
export function containerIdOf(lines: readonly CgroupLine[]): Result<string, string> {
  const ids = new Set(lines.map((line) => idInPath(line.path)).filter((id) => id !== undefined));
  const [id] = ids;
  if (id === undefined) return err("no cgroup names a container");
  return ids.size === 1 ? ok(id) : err("cgroups name different containers");
}

/** Whether any cgroup names a container, in whatever form. */
export function namesContainer(lines: readonly CgroupLine[]): boolean {
  return lines.some((line) => idInPath(line.path) !== undefined);
}

/**
 * Whether a process is in, or below, the cgroup of the container's first process, on a hierarchy where both paths have
 * the container's id. Only who may write the container's cgroup can put a process there.
 */
export function isWithin(lines: readonly CgroupLine[], first: readonly CgroupLine[], id: string): boolean {
  return lines.some((line) => {
    const outer = first.find((other) => other.hierarchy === line.hierarchy);
    if (outer === undefined || idInPath(outer.path) !== id || idInPath(line.path) !== id) return false;
    return line.path === outer.path || line.path.startsWith(`${outer.path}/`);
  });
}
