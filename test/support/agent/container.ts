// A container whose connections a test controls byte by byte. A relay process in the container forwards each
// connection, so the daemon sees the relay as its peer while the test holds the other end.
import { join } from "node:path";
import { BUN, ROOT, type Talker } from "../container/container.ts";
import { startInNamespace } from "../host/namespace.ts";
import { askOnce, RawClient, type RawRequest, type RawResponse } from "../socket/raw-http.ts";

/** The data of a check-in. */
export type Checkin = { readonly container_id: string; readonly session_token: string };

/** The relay program, which forwards connections. */
export const RELAY = join(ROOT, "test", "support", "socket", "relay.ts");

/** A running container. */
export class AgentContainer {
  readonly socketPath: string;
  readonly process: Talker;

  private constructor(socketPath: string, process: Talker) {
    this.socketPath = socketPath;
    this.process = process;
  }

  /** Starts a container whose relay listens at `name` in a directory, and forwards to the daemon at `agentSocket`. */
  static start(dir: string, name: string, agentSocket: string): Promise<AgentContainer> {
    const socketPath = join(dir, `${name}.sock`);
    return AgentContainer.over(socketPath, startInNamespace([BUN, RELAY, socketPath, agentSocket]));
  }

  /** A container with a running relay that listens at this path. */
  static async over(socketPath: string, relay: Talker): Promise<AgentContainer> {
    const line = await relay.hear();
    if (line !== "ready") throw new Error(`container does not start: ${line}`);
    return new AgentContainer(socketPath, relay);
  }

  /** Opens a connection. */
  connect(): RawClient {
    return new RawClient(this.socketPath);
  }

  /** One request on a connection of its own. */
  ask(request: RawRequest): Promise<RawResponse> {
    return askOnce(this.socketPath, request);
  }

  /** Checks in. */
  async checkIn(): Promise<Checkin> {
    const { status, body } = await this.ask({ path: "/v1/checkin", body: {} });
    if (status !== 200) throw new Error(`check-in: ${status} ${body}`);
    return JSON.parse(body).data;
  }

  /** Asks for permission with a token. */
  check(token: string, body: unknown): Promise<RawResponse> {
    return this.ask({ path: "/v1/permissions/check", headers: { authorization: `Bearer ${token}` }, body });
  }

  /** Ends the container. */
  async stop(): Promise<void> {
    await this.process.stop();
  }
}
