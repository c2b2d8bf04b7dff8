// The engine's JSON -> typed answers. Only the members that identity needs are read, and each is checked. An answer of
// another shape gives undefined, and the caller refuses the peer.
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { Labels } from "./container.ts";

/** The members of an inspected container that identity needs. */
export type DockerContainer = {
  readonly id: string;
  readonly name: string;
  readonly running: boolean;
  /** The first process, in the engine's pid namespace; 0 when there is none. */
  readonly pid: number;
  /** The image name as given when the container was created. */
  readonly image: string;
  /** The image's digest. */
  readonly imageId: string;
  readonly labels: Labels;
  /** The host's paths that it mounts. */
  readonly mounts: readonly string[];
};

/** The newest and the oldest version of the API that the engine speaks. */
export type DockerVersion = { readonly newest: ApiVersion; readonly oldest: ApiVersion };

/** Major and minor number. */
export type ApiVersion = { readonly major: number; readonly minor: number };

/** An event about a container. */
export type DockerEvent = { readonly id: string; readonly action: string };

/** Reads the answer to `GET /containers/<id>/json`. */
export function parseContainer(body: unknown): DockerContainer | undefined {
  if (!isJsonObject(body)) return undefined;
  const { Id: id, Name: name, Image: imageId, State: state, Config: config } = body;
  if (!isJsonObject(state) || !isJsonObject(config)) return undefined;
  const { Running: running, Pid: pid } = state;
  const { Image: image } = config;
  const labels = parseLabels(config["Labels"]);
  const mounts = parseMounts(body["Mounts"]);
  if (typeof id !== "string" || typeof name !== "string" || typeof imageId !== "string") return undefined;
  if (typeof running !== "boolean" || typeof pid !== "number" || !Number.isSafeInteger(pid)) return undefined;
  if (typeof image !== "string" || labels === undefined || mounts === undefined) return undefined;
  return { id, name: name.replace(/^\//, ""), running, pid, image, imageId, labels, mounts };
}

/** Reads the labels in the answer to `GET /images/<id>/json`. */
export function parseImageLabels(body: unknown): Labels | undefined {
  if (!isJsonObject(body)) return undefined;
  const { Config: config } = body;
  if (config === null || config === undefined) return {};
  return isJsonObject(config) ? parseLabels(config["Labels"]) : undefined;
}

/** Reads the answer to `GET /version`. */
export function parseVersion(body: unknown): DockerVersion | undefined {
  if (!isJsonObject(body)) return undefined;
  const newest = parseApiVersion(body["ApiVersion"]);
  const oldest = parseApiVersion(body["MinAPIVersion"]);
  return newest === undefined || oldest === undefined ? undefined : { newest, oldest };
}

/** Reads one line of the answer to `GET /events`. */
export function parseEvent(line: unknown): DockerEvent | undefined {
  if (!isJsonObject(line)) return undefined;
  const { Action: action, Actor: actor } = line;
  const id = isJsonObject(actor) ? actor["ID"] : undefined;
  return typeof id === "string" && typeof action === "string" ? { id, action } : undefined;
}

/** Whether the first version is older than the second. */
export function isOlder(a: ApiVersion, b: ApiVersion): boolean {
  return a.major < b.major || (a.major === b.major && a.minor < b.minor);
}

function parseApiVersion(text: unknown): ApiVersion | undefined {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})$/.exec(typeof text === "string" ? text : "") ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

function parseLabels(value: unknown): Labels | undefined {
  if (value === null || value === undefined) return {};
  if (!isJsonObject(value)) return undefined;
  const labels: JsonObject = value;
  const entries = Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length === Object.keys(labels).length ? Object.fromEntries(entries) : undefined;
}

// A mount without a path on the host, such as a tmpfs, has an empty source or none.
function parseMounts(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isJsonObject)) return undefined;
  const paths = value.map((mount) => mount["Source"]).filter((path) => typeof path === "string");
  // The engine lists mounts in a different order each time.
  return paths.filter((path) => path.startsWith("/")).sort();
}
