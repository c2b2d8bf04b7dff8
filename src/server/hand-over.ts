// Hands an accepted socket to a node:http server that does not listen itself. Under Deno such a server would close a
// connection after its first answer, and its parser would read past node:net, which then sees neither the bytes nor a
// pause; this file prevents both. Under Bun it has no effect.
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Makes a server keep connections open after their first answer; deadlines close them. */
export function keepHandedOver(server: Server): void {
  // A peer that has closed its side still gets its answers. Both runtimes know the option; the types of neither do.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Writable, because closing a server sets it back.
  Object.defineProperty(server, "listening", { value: true, writable: true, configurable: true });
}

/** Hands a connection over; listeners that it already has see each piece of data before the parser does. */
export function handOver(server: Server, socket: Socket): void {
  const handle: unknown = Reflect.get(socket, "_handle");
  // A handle that is marked as consumed is not read by the parser directly.
  if (typeof handle === "object" && handle !== null && "isStreamBase" in handle) {
    Object.assign(handle, { _consumed: true });
  }
  server.emit("connection", socket);
}
