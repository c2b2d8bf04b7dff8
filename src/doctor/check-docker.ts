// Docker's socket, where the daemon asks Docker which container a process is in.
import { quote } from "../core/quote.ts";
import { readCgroupMounts } from "../container/cgroup-mount.ts";
import { hasContainerLayout } from "../container/cgroup-tree.ts";
import { DockerClient } from "../container/docker-client.ts";
import { unavailableDetail } from "../container/unavailable.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";

// If no engine answers, `auto` uses these.
function hasEngineCgroups(): boolean {
  const mounts = readCgroupMounts();
  return mounts.ok && mounts.value.some(({ path }) => hasContainerLayout(path));
}

/** How long the engine may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The socket, whether an operator named it, and the source that `--containers` names. */
export type DockerUse = { readonly socketPath: string; readonly isGiven: boolean; readonly source: string };

/** Asks the engine for its version. */
export async function checkDocker({ socketPath, isGiven, source }: DockerUse): Promise<Check> {
  const name = "docker socket";
  if (source === "cgroup" || source === "namespace") return fine(name, `not used: containers are known by ${source}`);
  const version = await new DockerClient(socketPath).negotiate(AbortSignal.timeout(TIMEOUT_MS));
  if (version.ok) return fine(name, `${quote(socketPath)} answers, api ${version.value}`);
  const found = `${quote(socketPath)}: ${unavailableDetail(version.error)}`;
  const remedy = "start the engine, name its socket with --docker-socket, or run outcalld with --containers cgroup";
  const canDoWithout = source === "auto" && !isGiven && hasEngineCgroups();
  return canDoWithout ? doubtful(name, found, remedy) : failed(name, found, remedy);
}
