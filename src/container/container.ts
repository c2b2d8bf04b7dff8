// Container: what the host knows of the container that a peer runs in. Labels and image name were given when the
// container was created, as the engine recorded them; the container itself cannot change any of it.
import { createHash } from "node:crypto";

/** The kinds of container sources. */
export type SourceKind = "docker" | "cgroup" | "namespace";

/** Labels by name. */
export type Labels = { readonly [name: string]: string };

/** A running container. */
export type Container = {
  /** The full id: 64 hex digits, or `ns-<inode>-<start>` of the namespace source. */
  readonly id: string;
  /** `ctr-` and 12 hex digits: the id that the container itself is shown. */
  readonly shortId: string;
  /** The name that the engine gave it, else the short id; never empty. */
  readonly name: string;
  /** The image name as given when the container was created; empty if the source knows none. */
  readonly image: string;
  readonly labels: Labels;
  /** The labels that the image does not carry: `--require-label` reads only these. */
  readonly ownLabels: Labels;
  /** Id and start time of the first process, so a container that restarts under the same id is another instance. */
  readonly instance: string;
  readonly source: SourceKind;
  /** The host's paths that it mounts, if the source knows them. */
  readonly mounts?: readonly string[];
};

/** A container's first process; `startTime` is in clock ticks since boot. */
export type FirstProcess = { readonly pid: number; readonly startTime: number };

const SHORT_ID_DIGITS = 12;

/** Returns the short id of an id that an engine made, which is random. */
export function shortIdOf(id: string): string {
  return `ctr-${id.slice(0, SHORT_ID_DIGITS)}`;
}

/** Returns the short id of an id that is not hex digits: the first digits of its SHA-256. */
export function hashedShortId(id: string): string {
  return shortIdOf(createHash("sha256").update(id).digest("hex"));
}

/** Names the instance of a container: its id and the start time of its first process. */
export function instanceOf(id: string, first: FirstProcess): string {
  return `${id}:${first.startTime}`;
}

/** Makes the container of a source that knows no names, images or labels. */
export function namelessContainer(id: string, shortId: string, first: FirstProcess, source: SourceKind): Container {
  return { id, shortId, name: shortId, image: "", labels: {}, ownLabels: {}, instance: instanceOf(id, first), source };
}
