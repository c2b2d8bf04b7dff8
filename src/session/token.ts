// Session tokens: derived from the container and its life, so that none is ever stored and a repeated check-in gives the
// same one; another container's token never fits (S004-FR-004.b).
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Bytes of the process key: as many as the digest has. */
const KEY_BYTES = 32;

/** The key of one run of the daemon; it is held in memory alone. */
export type TokenKey = { readonly bytes: Uint8Array };

/** Makes the key of this run. */
export function createTokenKey(): TokenKey {
  return { bytes: randomBytes(KEY_BYTES) };
}

/** The token of a container's life: `tok-` and 43 base64url characters of HMAC-SHA-256. */
export function deriveToken(key: TokenKey, containerId: string, life: string): string {
  const digest = createHmac("sha256", key.bytes).update(JSON.stringify([containerId, life])).digest("base64url");
  return `tok-${digest}`;
}

/** Whether two tokens are equal, in time that depends on neither's content. */
export function sameToken(given: string, expected: string): boolean {
  const a = Buffer.from(given, "utf8");
  const b = Buffer.from(expected, "utf8");
  return a.length === b.length && timingSafeEqual(a, b);
}
