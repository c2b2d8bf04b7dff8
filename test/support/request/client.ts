// Both sides of rule requests, over the sockets of a daemon under test: an agent in a container, and the operator.
import type { AgentContainer } from "../agent/container.ts";
import { callSocket, type Daemon } from "../program/daemon.ts";
import { program } from "../program/programs.ts";
import { type Ended, runProgram } from "../program/run-program.ts";

/** Rates that no test reaches: none of these tests is about rate limits. */
export const NO_RATE_LIMIT = { OUTCALL_AGENT_RULE_RATE: "100000/1", OUTCALL_AGENT_PERM_RATE: "100000/1" };

/** An answer, with the data or the error taken out of the JSON envelope. */
export type Opened = { readonly status: number; readonly data: unknown; readonly error: string };

/** An agent that has checked in. */
export class Requester {
  readonly container: AgentContainer;
  readonly token: string;

  private constructor(container: AgentContainer, token: string) {
    this.container = container;
    this.token = token;
  }

  /** Checks in. */
  static async checkIn(container: AgentContainer): Promise<Requester> {
    return new Requester(container, (await container.checkIn()).session_token);
  }

  /** Sends any request with the token. */
  async call(method: string, path: string, body?: unknown): Promise<Opened> {
    const headers = { authorization: `Bearer ${this.token}` };
    const request = body === undefined ? { method, path, headers } : { method, path, headers, body };
    const answer = await this.container.ask(request);
    return open(answer.status, JSON.parse(answer.body));
  }

  /** Submits a rule request and returns its id. */
  async submit(body: unknown): Promise<string> {
    const answer = await this.call("POST", "/v1/requests/rules", body);
    if (answer.status !== 201) throw new Error(`not submitted: ${answer.status} ${answer.error}`);
    return idOf(answer.data);
  }

  /** The status of a request. */
  async state(id: string): Promise<unknown> {
    return (await this.call("GET", `/v1/requests/rules/${id}`)).data;
  }

  /** Whether a connection to a host is allowed. */
  async mayConnect(host: string): Promise<unknown> {
    const { data } = await this.call("POST", "/v1/permissions/check", { action_type: "network_call", target: host });
    return memberOf(data, "allowed");
  }
}

/** A rule that allows one host. */
export function ruleAbout(host: string): Record<string, string> {
  return { description: `access to ${host}`, condition: `network.hostname == "${host}"`, action: "allow" };
}

/** Sends a request of the operator. */
export async function operate(daemon: Daemon, method: string, path: string, body?: unknown): Promise<Opened> {
  const answer = await callSocket(daemon.files.hostSocket, method, path, body);
  return open(answer.status, answer.body);
}

/** Runs a command of the operator. */
export function outcall(daemon: Daemon, ...words: readonly string[]): Promise<Ended> {
  return runProgram([...program("outcall"), "--socket", daemon.files.hostSocket, ...words]);
}

/** The id in the data of an answer. */
export function idOf(data: unknown): string {
  return String(memberOf(data, "id"));
}

/** A member of the data of an answer. */
export function memberOf(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
}

function open(status: number, body: unknown): Opened {
  return { status, data: memberOf(body, "data"), error: String(memberOf(body, "error") ?? "") };
}
