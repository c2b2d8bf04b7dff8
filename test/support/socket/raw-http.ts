// HTTP as bytes over a Unix socket: requests are sent unchanged, and answers are parsed by hand.
import { connect, type Socket } from "node:net";

/** An answer as received. */
export type RawResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The parts of a request. */
export type RawRequest = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or unchanged if it is a string. Without it, the request has no body and no content type. */
  readonly body?: unknown;
};

/** The bytes of a well-formed request. */
export function requestText({ method = "POST", path, headers = {}, body }: RawRequest): string {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const all = {
    host: "outcall",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    "content-length": `${Buffer.byteLength(text)}`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}

/** The bytes of a request with a chunked body. */
export function chunkedText(path: string, chunks: readonly string[]): string {
  const parts = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
  const head = "host: outcall\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n";
  return `POST ${path} HTTP/1.1\r\n${head}\r\n${parts.join("")}0\r\n\r\n`;
}

/** One connection. */
export class RawClient {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #changed: () => void = () => {};

  constructor(path: string) {
    this.socket = connect({ path, allowHalfOpen: true });
    this.socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changed();
    });
    // A reset connection counts as closed.
    this.socket.on("error", () => this.#close());
    this.socket.on("end", () => this.#close());
    this.socket.on("close", () => this.#close());
  }

  /** Sends bytes unchanged. */
  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next answer; null if the connection ends without one. */
  async answer(): Promise<RawResponse | null> {
    for (;;) {
      const taken = this.#take();
      if (taken !== null) return taken;
      if (this.#isClosed) return null;
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Sends a request and waits for its answer. */
  ask(request: RawRequest): Promise<RawResponse | null> {
    this.send(requestText(request));
    return this.answer();
  }

  /** Waits until the other side has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  /** Closes the connection. */
  destroy(): void {
    this.socket.destroy();
  }

  #close(): void {
    this.#isClosed = true;
    this.#changed();
  }

  #take(): RawResponse | null {
    const parsed = parseResponse(this.#received);
    if (parsed === null) return null;
    this.#received = this.#received.subarray(parsed.length);
    return parsed.response;
  }
}

/** The first answer in the received bytes, and its length in bytes; null if it is incomplete. */
export function parseResponse(received: Buffer): { readonly response: RawResponse; readonly length: number } | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  }));
  const length = end + 4 + Number(headers["content-length"] ?? 0);
  if (received.length < length) return null;
  const body = received.subarray(end + 4, length).toString("utf8");
  return { response: { status: Number(first.split(" ")[1]), headers, body }, length };
}

/** Sends one request on a new connection. */
export async function askOnce(path: string, request: RawRequest): Promise<RawResponse> {
  const client = new RawClient(path);
  const answer = await client.ask(request);
  client.destroy();
  if (answer === null) throw new Error(`no answer to ${request.method ?? "POST"} ${request.path}`);
  return answer;
}
