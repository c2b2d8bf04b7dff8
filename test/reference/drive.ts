// Sends requests to both apps, compares the answers with the OpenAPI documents, and records which documented answers
// occurred.
import { AGENT_SOCKET, HOST_SOCKET } from "../../scripts/reference/sockets.ts";
import { type OpenApi, openApiOf } from "../../scripts/reference/openapi.ts";
import { type Route, routesOf, type SocketReference } from "../../scripts/reference/route.ts";
import { type BenchOptions, containerOf, startApps } from "../support/socket/app-bench.ts";
import { answerFaults } from "../support/document/openapi.ts";
import { askOnce, type RawRequest, type RawResponse } from "../support/socket/raw-http.ts";

/** A socket: its reference, its document, and the recorded answers. */
export type Driven = {
  readonly name: "agent" | "host";
  readonly reference: SocketReference;
  readonly document: OpenApi;
  readonly routes: readonly Route[];
  /** Such as `GET /a/{id} 200`. */
  readonly seen: Set<string>;
};

function driven(name: "agent" | "host", reference: SocketReference): Driven {
  return { name, reference, document: openApiOf(reference), routes: routesOf(reference), seen: new Set() };
}

/** The agent socket. */
export const AGENT = driven("agent", AGENT_SOCKET);

/** The host socket. */
export const HOST = driven("host", HOST_SOCKET);

/** The name of a route in its document. */
export function nameOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
}

/** An answer with its differences from the document. */
export type Judged = RawResponse & { readonly faults: readonly string[] };

/** Sends requests to the routes of both apps. */
export class Driver {
  readonly sockets: { readonly [name in Driven["name"]]: string };
  readonly #token: string;
  readonly stop: () => Promise<void>;

  constructor(sockets: { readonly agent: string; readonly host: string }, token: string, stop: () => Promise<void>) {
    this.sockets = sockets;
    this.#token = token;
    this.stop = stop;
  }

  /** Sends a request to a route, by default the documented example. */
  async ask(driven: Driven, name: string, given: Partial<RawRequest> & { readonly id?: string } = {}): Promise<Judged> {
    const route = driven.routes.find((each) => nameOf(each) === name);
    if (route === undefined) throw new Error(`no route ${name}`);
    const { entry, method } = route;
    const path = route.path.replace(/:\w+/, given.id ?? entry.path?.example ?? "");
    const authorization = entry.token === true ? { authorization: `Bearer ${this.#token}` } : {};
    const example = entry.body === undefined ? {} : { body: entry.body.example };
    const { id: _, headers, ...rest } = given;
    const request = { method: method.toUpperCase(), path, ...example, ...rest };
    const answer = await askOnce(this.sockets[driven.name], { ...request, headers: { ...authorization, ...headers } });
    driven.seen.add(`${name} ${answer.status}`);
    return { ...answer, faults: answerFaults(driven.document, name, answer) };
  }
}

/** Starts both apps and checks in. */
export async function startDriver(options: BenchOptions = {}): Promise<Driver> {
  const { agentSocket, hostSocket, sessions, stop } = await startApps(options);
  const session = sessions.checkIn(containerOf("a"));
  if (!session.ok) throw new Error(session.error.message);
  return new Driver({ agent: agentSocket, host: hostSocket }, session.value.token, stop);
}
