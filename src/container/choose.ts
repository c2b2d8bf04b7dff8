// The flag `--containers` -> the container source, chosen once at start. A source that is named is used, or the daemon does
// not start. `auto` chooses the Docker engine if it answers, else cgroups if an engine has made some, and never namespaces.
import type { CONTAINER_SOURCES } from "../core/defaults.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { checkOwnProc } from "../peer/self.ts";
import { cgroupFinder } from "./cgroup.ts";
import { readCgroupMounts } from "./cgroup-mount.ts";
import { hasContainerLayout } from "./cgroup-tree.ts";
import { DockerClient } from "./docker-client.ts";
import { dockerFinder } from "./docker.ts";
import { guardFinder } from "./guard.ts";
import { namespaceFinder } from "./namespace-source.ts";
import { type RequiredLabel, requireLabel } from "./required-label.ts";
import type { ContainerSource } from "./source.ts";
import { unavailableDetail } from "./unavailable.ts";

/** A word of `--containers`. */
export type SourceChoice = (typeof CONTAINER_SOURCES)[number];

/** How long the engine may take for its first answer, in milliseconds. */
const FIRST_ANSWER_TIMEOUT_MS = 5_000;

/** The operator's settings for containers. */
export type SourceOptions = {
  readonly containers: SourceChoice;
  readonly dockerSocket: string;
  /** Whether the operator named that socket: then `auto` uses it or fails. */
  readonly isDockerSocketGiven?: boolean;
  /** The user besides root that may own containers' cgroups, for a rootless engine. */
  readonly cgroupOwner?: number | undefined;
  /** The label that a container must have; null or left out: none. */
  readonly requireLabel?: RequiredLabel | null;
};

/** The chosen source; its warnings go to the log. */
export type ChosenSource = { readonly source: ContainerSource; readonly warnings: readonly string[] };

/** Chooses the source; the caller closes it. */
export async function chooseSource(options: SourceOptions): Promise<Result<ChosenSource, Problem>> {
  const chosen = await chooseByWord(options);
  const label = options.requireLabel ?? null;
  if (!chosen.ok || label === null) return chosen;
  const { source, warnings } = chosen.value;
  const labelled = requireLabel(source, label);
  if (labelled.ok) return ok({ source: labelled.value, warnings });
  source.close();
  return labelled;
}

async function chooseByWord(options: SourceOptions): Promise<Result<ChosenSource, Problem>> {
  const proc = checkOwnProc();
  if (!proc.ok) return noSource(proc.error.message);
  switch (options.containers) {
    case "docker":
      return await chooseDocker(options);
    case "cgroup":
      return chooseCgroup(options);
    case "namespace":
      return ok({ source: guardFinder(namespaceFinder()), warnings: [NAMESPACE_WARNING] });
    case "auto":
      return await chooseAny(options);
  }
}

const NAMESPACE_WARNING =
  "container source namespace: every user of this host who may create namespaces counts as a container";

const GIVEN_HINT = "start the engine, correct --docker-socket, or leave it out to let the daemon choose a source";

const AUTO_HINT = "start the engine, or name a source with --containers";

async function chooseDocker({ dockerSocket }: SourceOptions): Promise<Result<ChosenSource, Problem>> {
  const version = await new DockerClient(dockerSocket).negotiate(AbortSignal.timeout(FIRST_ANSWER_TIMEOUT_MS));
  if (!version.ok) return noSource(`docker socket ${quote(dockerSocket)}: ${unavailableDetail(version.error)}`);
  return ok({ source: guardFinder(dockerFinder(dockerSocket)), warnings: [] });
}

function chooseCgroup({ cgroupOwner }: SourceOptions): Result<ChosenSource, Problem> {
  const mounts = readCgroupMounts();
  if (!mounts.ok) return noSource(mounts.error.message);
  if (mounts.value.length === 0) return noSource("no cgroup hierarchy is mounted");
  const owners = cgroupOwner === undefined ? [0] : [0, cgroupOwner];
  return ok({ source: guardFinder(cgroupFinder({ mounts: mounts.value, owners })), warnings: [] });
}

async function chooseAny(options: SourceOptions): Promise<Result<ChosenSource, Problem>> {
  const docker = await chooseDocker(options);
  if (docker.ok) return docker;
  // An operator who names a socket means that engine. Another source might silently identify other containers.
  if (options.isDockerSocketGiven === true) return err({ ...docker.error, hint: GIVEN_HINT });
  const mounts = readCgroupMounts();
  if (mounts.ok && mounts.value.some((mount) => hasContainerLayout(mount.path))) {
    const chosen = chooseCgroup(options);
    if (!chosen.ok) return chosen;
    const warning = `container source cgroup, because no Docker engine is used: ${docker.error.message}`;
    return ok({ ...chosen.value, warnings: [warning, ...chosen.value.warnings] });
  }
  return err({
    ...docker.error,
    message: `${docker.error.message}, and no container engine's cgroups are seen`,
    hint: AUTO_HINT,
  });
}

function noSource(why: string): Result<never, Problem> {
  return err(problem("container.no-source", `no container source: ${why}`));
}
