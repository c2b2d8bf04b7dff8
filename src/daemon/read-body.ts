// Reading a request body under a limit: past it the rest is thrown away, up to a second limit, so that the connection can
// be used again after the refusal (S004-EC-010) and yet nobody can pour without end.
import type { IncomingMessage } from "node:http";
import { BODY_LIMIT_BYTES } from "../wire/agent-api.ts";
import type { Body } from "./exchange.ts";

/** How much of a refused body is read and thrown away before the connection is given up. */
export const DISCARD_LIMIT_BYTES = 16 * BODY_LIMIT_BYTES;

/** The body, or null when the peer went away, or sent so much that the connection is not worth keeping. */
export async function readBody(incoming: IncomingMessage): Promise<Body | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming) {
      if (!(chunk instanceof Uint8Array)) return null;
      length += chunk.length;
      if (length > DISCARD_LIMIT_BYTES) return { kind: "too-large" };
      if (length <= BODY_LIMIT_BYTES) chunks.push(Buffer.from(chunk));
    }
  } catch {
    // The peer went away in the middle of its own request; there is nobody to answer.
    return null;
  }
  if (length > BODY_LIMIT_BYTES) return { kind: "too-large" };
  return decodeText(Buffer.concat(chunks));
}

function decodeText(bytes: Buffer): Body {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "not-utf8" };
  }
}
