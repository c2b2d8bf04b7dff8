// The container source `docker`. The id in the name of the peer's cgroup counts only if the engine says that the container
// runs and the peer is in the cgroup of the container's first process. A cgroup that is merely named like a container's
// does not count.
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { parseCgroup } from "../peer/proc.ts";
import { isRunning, readCgroup, readProcFile, readStat } from "../peer/proc-files.ts";
import { rejectPeer } from "../peer/rejection.ts";
import { containerIdOf, isWithin } from "./cgroup-path.ts";
import { type FirstProcess, instanceOf, type Labels, shortIdOf } from "./container.ts";
import type { DockerContainer } from "./docker-answer.ts";
import { DockerClient } from "./docker-client.ts";
import { DockerWatch } from "./docker-watch.ts";
import type { ContainerFinder, Found } from "./finder.ts";

/** Makes a finder that asks the engine on this socket. */
export function dockerFinder(socketPath: string): ContainerFinder {
  const client = new DockerClient(socketPath);
  const watch = new DockerWatch(client);
  return {
    kind: "docker",
    readEvidence: (pid) => readProcFile(`/proc/${pid}/cgroup`),
    find: (pid, evidence, signal) => find(client, { pid, evidence, signal }),
    isCurrent: () => watch.isOpen,
    onChange: (listener) => watch.onChange(listener),
    status: () => ({ ready: watch.isOpen, detail: watch.detail }),
    close: () => watch.close(),
  };
}

type Question = { readonly pid: number; readonly evidence: string; readonly signal: AbortSignal };

async function find(client: DockerClient, { pid, evidence, signal }: Question): Promise<Result<Found, Problem>> {
  const lines = parseCgroup(evidence);
  if (!lines.ok) return err(rejectPeer(pid, lines.error.message));
  const id = containerIdOf(lines.value);
  if (!id.ok) return err(rejectPeer(pid, id.error));
  const inspected = await client.inspectContainer(id.value, signal);
  if (!inspected.ok) return inspected;
  const container = inspected.value;
  // The engine also finds containers by name and by a part of the id, so the full id is compared.
  if (container === undefined || container.id !== id.value) return err(rejectPeer(pid, "engine has no such container"));
  if (!container.running || container.pid <= 0) return err(rejectPeer(pid, "container does not run"));
  const first = readFirstProcess(container.pid);
  if (first === undefined) return err(rejectPeer(pid, "first process of the container has ended"));
  if (!isWithin(lines.value, first.cgroup, id.value)) {
    return err(rejectPeer(pid, "process is not in the container's cgroup"));
  }
  const imageLabels = await client.inspectImage(container.imageId, signal);
  return imageLabels.ok ? ok(foundOf(container, first.process, imageLabels.value)) : imageLabels;
}

function readFirstProcess(pid: number) {
  const stat = readStat(pid);
  const cgroup = readCgroup(pid);
  // The start time is read again, so that both values belong to the same process.
  if (!stat.ok || !cgroup.ok || !isRunning(pid, stat.value.startTime)) return undefined;
  return { process: { pid, startTime: stat.value.startTime }, cgroup: cgroup.value };
}

function foundOf(container: DockerContainer, first: FirstProcess, imageLabels: Labels | undefined): Found {
  const { id, image, labels, mounts } = container;
  const shortId = shortIdOf(id);
  return {
    container: {
      id,
      shortId,
      name: container.name === "" ? shortId : container.name,
      image,
      labels,
      ownLabels: ownLabelsOf(labels, imageLabels),
      instance: instanceOf(id, first),
      source: "docker",
      mounts,
    },
    first,
  };
}

/** Returns the labels that the image does not carry with the same value; none if the engine no longer has the image. */
export function ownLabelsOf(labels: Labels, imageLabels: Labels | undefined): Labels {
  if (imageLabels === undefined) return {};
  return Object.fromEntries(Object.entries(labels).filter(([name, value]) => imageLabels[name] !== value));
}
