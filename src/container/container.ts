// Container: what the host knows of where a peer lives. Nothing in it is the container's own word but its labels and
// image name, and those only as the engine that started it recorded them.
import { createHash } from "node:crypto";

/** The ways to get from a process to a container. */
export type SourceKind = "docker" | "cgroup" | "namespace";

/** Labels by name. */
export type Labels = { readonly [name: string]: string };

/** A running container. */
export type Container = {
  /** The full id: 64 hex digits, or `ns-<inode>-<start>` of the namespace source. */
  readonly id: string;
  /** `ctr-` and 12 hex digits: what the container itself gets to know of its id. */
  readonly shortId: string;
  /** The engine's name for it, else the short id; never empty. */
  readonly name: string;
  /** The image as it was asked for; empty where the source knows none. */
  readonly image: string;
  readonly labels: Labels;
  /** The labels that do not come with the image: the only ones that `--require-label` counts. */
  readonly ownLabels: Labels;
  /** Id and start of the first process: another after a restart under the same id. */
  readonly instance: string;
  readonly source: SourceKind;
  /** The host's paths that it mounts, where the source knows them. */
  readonly mounts?: readonly string[];
};

/** A container's first process; `startTime` is in clock ticks since boot. */
export type FirstProcess = { readonly pid: number; readonly startTime: number };

const SHORT_ID_DIGITS = 12;

/** The short id of an engine's id, which is random already. */
export function shortIdOf(id: string): string {
  return `ctr-${id.slice(0, SHORT_ID_DIGITS)}`;
}

/** The short id of an id that is not hex digits: taken from its SHA-256. */
export function hashedShortId(id: string): string {
  return shortIdOf(createHash("sha256").update(id).digest("hex"));
}

/** The life of a container: its id and the start of its first process. */
export function instanceOf(id: string, first: FirstProcess): string {
  return `${id}:${first.startTime}`;
}

/** A container of a source that knows neither names nor images nor labels. */
export function namelessContainer(id: string, shortId: string, first: FirstProcess, source: SourceKind): Container {
  return { id, shortId, name: shortId, image: "", labels: {}, ownLabels: {}, instance: instanceOf(id, first), source };
}
