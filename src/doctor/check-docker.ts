// Docker's socket, where containers are known by it.
import { quote } from "../core/quote.ts";
import { readCgroupMounts } from "../container/cgroup-mount.ts";
import { hasContainerLayout } from "../container/cgroup-tree.ts";
import { DockerClient } from "../container/docker-client.ts";
import { unavailableDetail } from "../container/unavailable.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";

// What `auto` goes on with where no engine answers.
function hasEngineCgroups(): boolean {
  const mounts = readCgroupMounts();
  return mounts.ok && mounts.value.some(({ path }) => hasContainerLayout(path));
}

/** How long the engine may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Asks the engine for its version; `source` is what `--containers` says. */
export async function checkDocker(socketPath: string, source: string): Promise<Check> {
  const name = "docker socket";
  if (source === "cgroup" || source === "namespace") return fine(name, `not used: containers are known by ${source}`);
  const version = await new DockerClient(socketPath).negotiate(AbortSignal.timeout(TIMEOUT_MS));
  if (version.ok) return fine(name, `${quote(socketPath)} answers, api ${version.value}`);
  const found = `${quote(socketPath)}: ${unavailableDetail(version.error)}`;
  const remedy = "start the engine, name its socket with --docker-socket, or run outcalld with --containers cgroup";
  return source === "auto" && hasEngineCgroups() ? doubtful(name, found, remedy) : failed(name, found, remedy);
}
