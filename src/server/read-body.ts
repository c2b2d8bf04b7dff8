// Reading a request body under a limit: past it the rest is thrown away, so that the connection can be used again after the
// refusal (S004-EC-010). Nobody can pour without end, because a body has its deadline, however large it is.
import type { IncomingMessage } from "node:http";
import { BODY_LIMIT_BYTES } from "../wire/agent-api.ts";
import type { Body } from "./exchange.ts";

/** The body, or null when the peer went away in the middle of it or what it sent is not HTTP. */
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
  // An error is reported more than once, and each without a listener would end the process.
  incoming.on("error", () => resolve(null));
  incoming.once("close", () => resolve(null));
  return promise;
}

// Each text is decoded as a whole, so nothing of one is left for the next.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array): Body {
  try {
    return { kind: "text", text: decoder.decode(bytes) };
  } catch {
    return { kind: "not-utf8" };
  }
}
