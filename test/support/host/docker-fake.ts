// A fake container engine on a Unix socket. It gives the answers that a test sets, in the engine's own protocol.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The answer for one path: JSON, raw text, or none. */
export type FakeAnswer =
  | { readonly status?: number; readonly json?: unknown; readonly raw?: string }
  | "silence"
  | "reset";

/** A fake engine; `close` ends it. */
export class FakeEngine {
  readonly socketPath: string;
  /** Answers by path without query; the version is `/v1.43` unless the test changes it. */
  readonly answers = new Map<string, FakeAnswer>();
  /** Every requested path, including queries. */
  readonly asked: string[] = [];
  readonly #dir: string;
  readonly #streams = new Set<ServerResponse>();
  readonly #waiting: (() => void)[] = [];
  #server: Server;

  private constructor(dir: string) {
    this.#dir = dir;
    this.socketPath = join(dir, "docker.sock");
    this.#server = this.#makeServer();
    this.answers.set("/version", { json: { ApiVersion: "1.43", MinAPIVersion: "1.24" } });
  }

  /** Starts an engine. */
  static async start(): Promise<FakeEngine> {
    const engine = new FakeEngine(mkdtempSync(join(tmpdir(), "outcall-engine-")));
    await engine.listen();
    return engine;
  }

  /** Starts to listen; also possible after `stop`. */
  async listen(): Promise<void> {
    this.#server = this.#makeServer();
    const listening = once(this.#server, "listening");
    this.#server.listen(this.socketPath);
    await listening;
  }

  /** Stops listening and closes all connections. */
  async stop(): Promise<void> {
    this.#streams.clear();
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    rmSync(this.socketPath, { force: true });
  }

  /** Writes to every open event stream. */
  emit(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }

  /** Ends every open event stream. */
  endStreams(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  /** Waits until a client opens an event stream. */
  streamOpened(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the engine. */
  async close(): Promise<void> {
    if (this.#server.listening) await this.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #makeServer(): Server {
    return createServer((request, response) => {
      const url = request.url ?? "";
      this.asked.push(url);
      const path = url.replace(/\?.*$/, "");
      const answer = this.answers.get(path);
      if (answer === undefined && path.endsWith("/events")) return this.#stream(response);
      this.#answer(response, answer ?? { status: 404, json: { message: "no such object" } });
    });
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    this.#streams.add(response);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #answer(response: ServerResponse, answer: FakeAnswer): void {
    if (answer === "silence") return;
    if (answer === "reset") return void response.destroy();
    response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
    response.end(answer.raw ?? JSON.stringify(answer.json));
  }
}

/** A container as the engine's inspect call returns it. */
export function inspected(id: string, more: { readonly [name: string]: unknown } = {}): { [name: string]: unknown } {
  return {
    Id: id,
    Name: "/agent",
    Image: `sha256:${"f".repeat(64)}`,
    State: { Running: true, Pid: 1 },
    Config: { Image: "base:1", Labels: { team: "a" } },
    ...more,
  };
}
