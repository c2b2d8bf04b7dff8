// Session tokens, derived from the container and its instance: no token is stored, a repeated check-in returns the same token,
// and a token is valid for one container only (S004-FR-004.b).
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Length of the process key in bytes; the digest has the same length. */
const KEY_BYTES = 32;

/** The key of one run of the daemon, kept only in memory. */
export type TokenKey = { readonly bytes: Uint8Array };

/** Makes the key of this run. */
export function createTokenKey(): TokenKey {
  return { bytes: randomBytes(KEY_BYTES) };
}

/** Returns the token of an instance: `tok-` and 43 base64url characters of HMAC-SHA-256. */
export function deriveToken(key: TokenKey, containerId: string, life: string): string {
  const digest = createHmac("sha256", key.bytes).update(JSON.stringify([containerId, life])).digest("base64url");
  return `tok-${digest}`;
}

/** Whether two tokens are equal, compared in constant time. */
export function sameToken(given: string, expected: string): boolean {
  const a = Buffer.from(given, "utf8");
  const b = Buffer.from(expected, "utf8");
  return a.length === b.length && timingSafeEqual(a, b);
}
