// A daemon that sends exactly the bytes of a test: the honest daemon of the agent API, and every dishonest one. It
// records the connections and requests.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A request as received. */
export type Received = {
  readonly connection: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Answers one request by writing to the socket. */
export type Script = (socket: Socket, received: Received) => void;

/** A running scripted daemon. */
export type ScriptedDaemon = {
  readonly socketPath: string;
  readonly received: readonly Received[];
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
};

/** Listens on a socket of its own. */
export async function startDaemon(script: Script): Promise<ScriptedDaemon> {
  const directory = mkdtempSync(join(tmpdir(), "outcall-"));
  const socketPath = join(directory, "agent.sock");
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    const connection = ++connections;
    sockets.add(socket);
    let waiting: Buffer = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      for (let next = takeRequest(waiting, connection); next !== undefined; next = takeRequest(waiting, connection)) {
        waiting = next.rest;
        received.push(next.request);
        script(socket, next.request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    received,
    connections: () => connections,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function takeRequest(bytes: Buffer, connection: number): { request: Received; rest: Buffer } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  }));
  const bodyEnd = end + 4 + Number(headers["content-length"] ?? 0);
  if (bytes.length < bodyEnd) return undefined;
  const body = bytes.subarray(end + 4, bodyEnd).toString("utf8");
  return { request: { connection, method, path, headers, body }, rest: bytes.subarray(bodyEnd) };
}

/** The bytes of an answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers: readonly string[] = []): string {
  return textAnswer(status, JSON.stringify(body), ["Content-Type: application/json", ...headers]);
}

/** The bytes of an answer with any body. */
export function textAnswer(status: number, body: string, headers: readonly string[] = []): string {
  const lines = [`HTTP/1.1 ${status} X`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** What an honest daemon says to a check-in. */
export const CHECKED_IN = {
  container_id: "ctr-0123456789ab",
  session_token: `tok-${"A".repeat(43)}`,
  context_keys: ["action_type", "target", "metadata"],
};

/** The script of an honest daemon: it accepts check-ins and gives this verdict for permission checks. */
export function honest(verdict: unknown): Script {
  return answering((socket) => socket.write(jsonAnswer(200, { success: true, data: verdict })));
}

/** A script that accepts check-ins and leaves permission checks to another script. */
export function answering(check: Script): Script {
  return (socket, received) => {
    if (received.path !== "/v1/checkin") return check(socket, received);
    socket.write(jsonAnswer(200, { success: true, data: CHECKED_IN }));
  };
}
