// What an answer of the agent socket may contain (S004-FR-010): only the headers, members and texts listed here. A text
// that quotes the agent may quote only the agent's own request.
import type { RawRequest, RawResponse } from "../socket/raw-http.ts";

/** A request as the agent sent it, and its answer. */
export type Exchanged = { readonly request: RawRequest | string; readonly response: RawResponse };

/** The reason that the test's operator gives to agents, for a block and for a denied rule request. */
export const OPERATORS_REASON = "ask before you do that";

const OPAQUE_RULE = /^rule-[0-9a-f]{12}$/;
const CONTAINER = /^ctr-[0-9a-f]{12}$/;
const TOKEN = /^tok-[A-Za-z0-9_-]{43}$/;
const RULE_REQUEST = /^rr-[0-9a-f]{12}$/;

const HEADERS: Readonly<Record<string, RegExp>> = {
  "content-type": /^application\/json$/,
  "content-length": /^\d+$/,
  "cache-control": /^no-store$/,
  connection: /^(keep-alive|close)$/i,
  "keep-alive": /^timeout=\d+$/,
  date: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
  allow: /^(GET|POST)(, (GET|POST))*$/,
  "retry-after": /^[1-9]\d*$/,
};

/** The header that names the record of a denial. */
const RECORD = "outcall-record";

type Members = Readonly<Record<string, (value: unknown, own: string) => boolean>>;

const text = (form: RegExp) => (value: unknown) => typeof value === "string" && form.test(value);
const orNull = (form: RegExp) => (value: unknown) => value === null || text(form)(value);
const isCount = (value: unknown) => Number.isInteger(value);
const ownWord = (value: unknown, own: string) => typeof value === "string" && own.includes(JSON.stringify(value));

const RULE_REQUEST_MEMBERS: Members = {
  id: text(RULE_REQUEST),
  status: text(/^(pending|approved|rejected)$/),
  reason: (value) => value === null || value === OPERATORS_REASON,
};

// The members of the data of each route's success.
const DATA: Readonly<Record<string, Members>> = {
  "POST /v1/checkin": {
    container_id: text(CONTAINER),
    session_token: text(TOKEN),
    context_keys: (value) => JSON.stringify(value) === '["action_type","target","metadata"]',
  },
  "POST /v1/permissions/check": {
    allowed: (value) => typeof value === "boolean",
    matched_rule: orNull(OPAQUE_RULE),
    reason: (value, own) => value === null || (typeof value === "string" && isReason(value, own)),
  },
  "POST /v1/requests/rules": RULE_REQUEST_MEMBERS,
  "GET /v1/requests/rules/:id": RULE_REQUEST_MEMBERS,
  "POST /v1/envelopes": {
    session: text(CONTAINER),
    outcome: text(/^(verified|failed|vacuous|unverified)$/),
    ...Object.fromEntries(["passed", "failed", "skipped", "total"].map((name) => [name, isCount])),
    failures: (value) => Array.isArray(value) && value.every((note) => note === OPERATORS_NOTE),
  },
  "POST /api/v1/agent/rule-request": {
    id: text(RULE_REQUEST),
    submitted_at: text(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    status: text(/^pending$/),
    description: ownWord,
    requested_access: ownWord,
    suggested_condition: (value, own) => value === null || ownWord(value, own),
  },
};

/** The note that the test's operator shows to agents for a failed predicate. */
export const OPERATORS_NOTE = "finish the work first";

const REASONS: readonly string[] = [
  OPERATORS_REASON,
  "blocked by policy",
  "decision log unavailable",
  "evaluation timeout",
];

function isReason(reason: string, own: string): boolean {
  const [, action = "", target = ""] = /^no rule allows (\w+) to (.*)$/.exec(reason) ?? [];
  return REASONS.includes(reason) || (action !== "" && own.includes(action) && own.includes(target));
}

// Error texts that do not depend on the request, and prefixes of those that quote the request.
const ERRORS: readonly string[] = [
  "check-in rejected: peer does not belong to a known container",
  "container look-up is not available",
  "content-encoding is not supported",
  "content-type must be application/json",
  "internal error",
  "invalid or missing session token",
  "malformed HTTP request",
  "malformed request target",
  "method not allowed",
  "not found",
  "path has a backslash, or a percent-encoded slash, backslash or dot",
  "rate limit exceeded",
  "request body is not UTF-8",
  "request body is not valid JSON",
  "request body too large",
  "rule evaluation unavailable: bridge is not up",
  "target is empty",
  "rule requests are not available",
  "the envelope cannot be kept",
  "too many connections",
  "too many rule requests wait for the operator",
  "too many sessions",
  "unknown transfer-encoding",
];
// Error codes of the agent socket itself, and of faults in a text that the agent sent.
const CODES: ReadonlySet<string> = new Set([
  "audit.unavailable",
  "container.unavailable",
  "container.unknown",
  "daemon.bridge-down",
  "daemon.internal",
  "daemon.invalid-request",
  "daemon.media-type",
  "daemon.method",
  "daemon.not-found",
  "daemon.too-large",
  "daemon.too-many-connections",
  "daemon.unprocessable",
  "peer.unidentified",
  "request.not-found",
  "request.store",
  "request.too-many",
  "request.unacceptable",
  "rulespec.store",
  "session.bad-token",
  "session.full",
  "session.rate-limited",
  ...["cel-syntax", "definition-cycle", "duplicate-id", "limit", "not-boolean", "regex", "schema", "type"].map((name) =>
    `rule.${name}`
  ),
  ...["undefined-definition", "unknown-field", "unsupported", "version", "yaml"].map((name) => `rule.${name}`),
]);
const QUOTING: readonly RegExp[] = [
  /^invalid request: (?:the body|"[\w.]+"): expected (?:string|object)$/,
  /^invalid request: duplicate member "\w+"$/,
  /^invalid request: missing member "\w+"$/,
  /^invalid request: unknown member "\w+"(?: \(did you mean "\w+"\?\))?$/,
  /^invalid request: "rule_file" and "\w+" exclude each other$/,
  /^unknown action_type "\w*", known are tool_exec, network_call, file_access, shell_exec$/,
  /^metadata "\w+"(?: is not a string, number, boolean or list of strings|: integer beyond 2\^53-1: "\d+")$/,
  /^the envelope is refused: line \d+: missing member "facts" \(an envelope is one member "facts" with all facts below it\)$/,
  /^rule request rr-[0-9a-f]{12} not found$/,
  // The request is analysed without the operator's rules, so these texts are about the request only.
  /^rule request: /,
  /^request:\d+:\d+: /,
  /^rule "\w+": unknown (?:name|field) /,
  /^missing member "\w+" of a rule /,
];

/** Describes everything in an answer that is not permitted; an empty list is the expected result. */
export function excessOf({ request, response }: Exchanged): readonly string[] {
  const own = typeof request === "string" ? request : `${request.path} ${ownWords(request.body)}`;
  const headers = Object.entries(response.headers).filter(([name, value]) =>
    name !== RECORD && !HEADERS[name]?.test(value)
  );
  const body: unknown = JSON.parse(response.body);
  const route = typeof request === "string"
    ? ""
    : `${request.method ?? "POST"} ${request.path.replace(/rr-\w+$/, ":id")}`;
  const named = excessOfRecord(response.headers[RECORD], body);
  return [...headers.map((each) => `header ${each.join(": ")}`), ...named, ...excessOfBody(body, route, own)];
}

// Only a denial that is on record has this header. Its value is an opaque record id.
function excessOfRecord(id: string | undefined, body: unknown): readonly string[] {
  const data = isObject(body) && isObject(body["data"]) ? body["data"] : {};
  const isRecorded = data["allowed"] === false && data["reason"] !== "decision log unavailable";
  const isRight = isRecorded ? /^rec-[0-9a-f]{12}$/.test(id ?? "") : id === undefined;
  return isRight ? [] : [`header ${RECORD}: ${id}`];
}

function ownWords(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body ?? null);
}

function excessOfBody(body: unknown, route: string, own: string): readonly string[] {
  if (!isObject(body)) return ["a body that is no envelope"];
  const { success, error, code, data, ...more } = body;
  const strange = Object.keys(more).map((name) => `member ${name}`);
  if (success === false) {
    const known = typeof error === "string" && (ERRORS.includes(error) || QUOTING.some((form) => form.test(error)));
    const listed = typeof code === "string" && CODES.has(code);
    return [
      ...strange,
      ...(listed ? [] : [`code ${code}`]),
      ...(known ? [] : [`error ${error}`]),
      ...(data === undefined ? [] : ["data of a failure"]),
    ];
  }
  const members = DATA[route];
  if (success !== true || error !== undefined || code !== undefined || members === undefined || !isObject(data)) {
    return [...strange, `no success of ${route}: ${JSON.stringify(body)}`];
  }
  const missing = Object.keys(members).filter((name) => !Object.hasOwn(data, name)).map((name) => `no ${name}`);
  const wrong = Object.entries(data).filter(([name, value]) => members[name]?.(value, own) !== true);
  return [...strange, ...missing, ...wrong.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
