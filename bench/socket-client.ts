// A client in a container that sends the same request repeatedly and prints the latency of each answer. It sends one
// request after the other on one connection, as many as possible on several connections, or a steady rate. At a steady
// rate, the latency is measured from the moment when the request was due.
import { connect, type Socket } from "node:net";
import { requestText } from "../test/support/socket/raw-http.ts";

/** The request, and how it is sent. */
export type Load = {
  readonly socket: string;
  /** Whether the client checks in first to get a session. */
  readonly checksIn: boolean;
  readonly body: object;
  /** A number of requests, on one connection or spread over several; or a rate per second for a number of seconds. */
  readonly mode:
    | { readonly kind: "count"; readonly requests: number; readonly connections: number }
    | { readonly kind: "rate"; readonly perSecond: number; readonly connections: number; readonly seconds: number };
};

/** Milliseconds of each request, in the order in which they were due. */
type Latencies = readonly number[];

type Answer = { readonly status: number; readonly body: string };

/** A connection that sends one request at a time. */
class Requester {
  readonly #socket: Socket;
  #received = "";
  #settle: (answer: Answer) => void = () => {};
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text) => this.#read(String(text)));
    this.#socket.on("close", () => this.#settle({ status: 0, body: "the connection was closed" }));
  }

  /** Sends a request after all earlier ones are answered; returns the milliseconds since then, or since it was due. */
  ask(text: string, dueMs?: number): Promise<number> {
    const asked = this.#last.then(async () => {
      const fromMs = dueMs ?? performance.now();
      const { status, body } = await this.send(text);
      if (status !== 200) throw new Error(`${status} ${body}`);
      return performance.now() - fromMs;
    });
    this.#last = asked;
    return asked;
  }

  /** Sends a request and waits for its answer. */
  send(text: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#settle = resolve;
    this.#socket.write(text);
    return promise;
  }

  #read(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = /content-length: (\d+)/i.exec(this.#received)?.[1];
    const body = this.#received.slice(end + 4);
    if (body.length < Number(length)) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = "";
    this.#settle({ status, body });
  }
}

if (import.meta.main) {
  const load: Load = JSON.parse(process.argv[2] ?? "");
  process.stdout.write(JSON.stringify(await run(load)), () => process.exit(0));
}

async function run({ socket, checksIn, body, mode }: Load): Promise<Latencies> {
  const requesters = Array.from({ length: mode.connections }, () => new Requester(socket));
  const [first] = requesters;
  if (first === undefined) return [];
  const token = checksIn ? await checkIn(first) : "tok-none";
  const text = requestText({ path: "/v1/permissions/check", headers: { authorization: `Bearer ${token}` }, body });
  for (const requester of requesters) await requester.ask(text);
  if (mode.kind === "count") {
    const share = Math.ceil(mode.requests / requesters.length);
    return (await Promise.all(requesters.map((requester) => askInTurn(requester, text, share)))).flat();
  }
  const startMs = performance.now();
  const turns: Promise<number>[] = [];
  while (turns.length < mode.perSecond * mode.seconds) {
    const dueMs = startMs + (turns.length * 1_000) / mode.perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // A timer that fires late is the client's delay and not the daemon's, so it is not counted. The time in which a
    // request waits behind another one is counted.
    const requester = requesters[turns.length % requesters.length];
    if (requester !== undefined) turns.push(requester.ask(text, performance.now()));
  }
  return await Promise.all(turns);
}

async function askInTurn(requester: Requester, text: string, requests: number): Promise<Latencies> {
  const taken: number[] = [];
  for (let sent = 0; sent < requests; sent++) taken.push(await requester.ask(text));
  return taken;
}

async function checkIn(requester: Requester): Promise<string> {
  const { body } = await requester.send(requestText({ path: "/v1/checkin" }));
  return JSON.parse(body).data.session_token;
}
