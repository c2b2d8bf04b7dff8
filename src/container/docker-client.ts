// DockerClient: the three calls to an engine, and its event stream, in the newest version of the Docker API that both sides
// speak. Podman's Docker-compatible socket works the same.
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Labels } from "./container.ts";
import {
  type ApiVersion,
  type DockerContainer,
  type DockerEvent,
  isOlder,
  parseContainer,
  parseEvent,
  parseImageLabels,
  parseVersion,
} from "./docker-answer.ts";
import { type DockerAnswer, getJson, streamJson } from "./docker-http.ts";
import { lookupUnavailable } from "./unavailable.ts";

/** The newest version of the API whose answers this program knows. */
const NEWEST: ApiVersion = { major: 1, minor: 51 };
/** The oldest version that has every member that is read; engines in use speak it. */
const OLDEST: ApiVersion = { major: 1, minor: 24 };

/** Receives the engine's events. `onOpen` is called each time the stream opens, also after it was interrupted. */
export type EventListener = { readonly onOpen: () => void; readonly onEvent: (event: DockerEvent) => void };

/** Calls one engine. */
export class DockerClient {
  readonly #socketPath: string;
  #version: string | undefined;

  /** Takes the path of the engine's Unix socket; makes no call. */
  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Agrees on the version of the API, such as `v1.43`. Each connection asks again, since the engine may have been replaced. */
  async negotiate(signal: AbortSignal): Promise<Result<string, Problem>> {
    const answer = await getJson({ socketPath: this.#socketPath, path: "/version", signal });
    if (!answer.ok) return answer;
    const version = answer.value.status === 200 ? parseVersion(answer.value.body) : undefined;
    if (version === undefined) return unexpected("version", answer.value);
    const spoken = isOlder(version.newest, NEWEST) ? version.newest : NEWEST;
    if (isOlder(spoken, OLDEST) || isOlder(spoken, version.oldest)) {
      return err(lookupUnavailable("engine and program have no version of the api in common"));
    }
    this.#version = `v${spoken.major}.${spoken.minor}`;
    return ok(this.#version);
  }

  /** Returns the container with this full id; undefined if the engine has none. */
  async inspectContainer(id: string, signal: AbortSignal): Promise<Result<DockerContainer | undefined, Problem>> {
    const answer = await this.#get(`/containers/${encodeURIComponent(id)}/json`, signal);
    if (!answer.ok) return answer;
    if (answer.value.status === 404) return ok(undefined);
    const container = answer.value.status === 200 ? parseContainer(answer.value.body) : undefined;
    return container === undefined ? unexpected("container", answer.value) : ok(container);
  }

  /** Returns the labels of an image; undefined if the engine no longer has the image. */
  async inspectImage(id: string, signal: AbortSignal): Promise<Result<Labels | undefined, Problem>> {
    const answer = await this.#get(`/images/${encodeURIComponent(id)}/json`, signal);
    if (!answer.ok) return answer;
    if (answer.value.status === 404) return ok(undefined);
    const labels = answer.value.status === 200 ? parseImageLabels(answer.value.body) : undefined;
    return labels === undefined ? unexpected("image", answer.value) : ok(labels);
  }

  /** Passes on the events of containers until the stream ends; the end is always a problem. */
  async watchEvents(listener: EventListener, signal: AbortSignal): Promise<Problem> {
    const version = await this.negotiate(signal);
    if (!version.ok) return version.error;
    const path = `/${version.value}/events?filters=${encodeURIComponent('{"type":["container"]}')}`;
    return await streamJson({ socketPath: this.#socketPath, path, signal }, {
      onOpen: listener.onOpen,
      onLine: (line) => {
        const event = parseEvent(line);
        if (event !== undefined) listener.onEvent(event);
        return event !== undefined;
      },
    });
  }

  async #get(path: string, signal: AbortSignal): Promise<Result<DockerAnswer, Problem>> {
    const version = this.#version === undefined ? await this.negotiate(signal) : ok(this.#version);
    if (!version.ok) return version;
    return await getJson({ socketPath: this.#socketPath, path: `/${version.value}${path}`, signal });
  }
}

function unexpected(what: string, answer: DockerAnswer): Result<never, Problem> {
  return err(lookupUnavailable(`engine's answer about its ${what} is not understood: status ${answer.status}`));
}
