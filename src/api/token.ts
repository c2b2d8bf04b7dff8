// Request -> its session token, from the Authorization header or the body.
import { isJsonObject } from "../core/json.ts";

/** The tokens of a request in header and body; null stands for a header without a token. */
export function givenTokens(request: Request, body: unknown): readonly (string | null)[] {
  const inBody = isJsonObject(body) ? body["session_token"] : undefined;
  return [
    ...(request.headers.has("authorization") ? [bearer(request)] : []),
    ...(typeof inBody === "string" ? [inBody] : []),
  ];
}

/** The token that was given, or null. Two different tokens count as none. */
export function tokenOf(given: readonly (string | null)[]): string | null {
  const [first = null, second = first] = given;
  return first === second ? first : null;
}

function bearer(request: Request): string | null {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}
