// Accepted socket -> a node:http server that never listens itself. What the two runtimes do differently on that path is
// evened out here: under Deno a server that does not listen closes a connection after its first answer, and its parser
// reads past node:net, which then sees neither the bytes nor a pause. Under Bun nothing of this file has an effect.
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Has a server keep the connections that it is handed, open as long as their peers and deadlines let them be. */
export function keepHandedOver(server: Server): void {
  // A peer that has said all it wants still gets its answers. Known to both runtimes, though to neither's types.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Writable, because closing a server sets it back.
  Object.defineProperty(server, "listening", { value: true, writable: true, configurable: true });
}

/** Hands a connection over; the listeners that it has by now see each piece of it before the parser does. */
export function handOver(server: Server, socket: Socket): void {
  const handle: unknown = Reflect.get(socket, "_handle");
  // A handle that the parser could read from by itself counts as taken already.
  if (typeof handle === "object" && handle !== null && "isStreamBase" in handle) {
    Object.assign(handle, { _consumed: true });
  }
  server.emit("connection", socket);
}
