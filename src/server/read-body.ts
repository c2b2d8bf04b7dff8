// Reads a request body under a limit. The rest of a longer body is read and dropped, so that the connection stays usable
// after the refusal (S004-EC-010); the deadline of bodies bounds how long that takes.
import type { IncomingMessage } from "node:http";
import { BODY_LIMIT_BYTES } from "../wire/agent-api.ts";
import type { Body } from "./exchange.ts";

/** The body; null if the connection closed within it, or if it is not valid HTTP. */
export function readBody(incoming: IncomingMessage): Promise<Body | null> {
  const { promise, resolve } = Promise.withResolvers<Body | null>();
  const chunks: Uint8Array[] = [];
  let length = 0;
  incoming.on("data", (chunk: Uint8Array) => {
    length += chunk.length;
    if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  });
  incoming.once("end", () => {
    if (!incoming.complete) return resolve(null);
    const [first] = chunks;
    const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
    resolve(length > BODY_LIMIT_BYTES ? { kind: "too-large" } : decodeText(bytes));
  });
  // Errors may come more than once, and one without a listener would end the process.
  incoming.on("error", () => resolve(null));
  incoming.once("close", () => resolve(null));
  return promise;
}

// Shared by all bodies: each is decoded as a whole, so the decoder keeps no state between them.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array): Body {
  try {
    return { kind: "text", text: decoder.decode(bytes) };
  } catch {
    return { kind: "not-utf8" };
  }
}
