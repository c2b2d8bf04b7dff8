// Request -> its session token, which stands in the Authorization header or in the body.
import { isJsonObject } from "../core/json.ts";

/** The tokens of a request in header and body; null stands for a header that holds none. */
export function givenTokens(request: Request, body: unknown): readonly (string | null)[] {
  const inBody = isJsonObject(body) ? body["session_token"] : undefined;
  return [
    ...(request.headers.has("authorization") ? [bearer(request)] : []),
    ...(typeof inBody === "string" ? [inBody] : []),
  ];
}

/** The one token that was given, or null: two that differ are as wrong as none. */
export function tokenOf(given: readonly (string | null)[]): string | null {
  const [first = null, second = first] = given;
  return first === second ? first : null;
}

function bearer(request: Request): string | null {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}
