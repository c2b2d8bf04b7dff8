// The evaluation context as it comes over the host socket and from files: closed maps, members of a namespace may be left
// out (S003 section 10). `enriched` is not among them: only hooks write it.
import { type Static, Type } from "@sinclair/typebox";
import type { Context } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";

const closed = { additionalProperties: false };
const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));
const textMap = Type.Optional(Type.Record(Type.String(), Type.String()));

/** A map whose values are any JSON. */
export const JsonMap = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));

/** The body size a 64-bit float still counts exactly. */
const BODY_SIZE_MAX = Number.MAX_SAFE_INTEGER;

/** The highest port. */
const PORT_MAX = 65_535;

/** The schema of one context. */
export const ContextSchema = Type.Object({
  network: Type.Optional(Type.Object({
    hostname: text,
    ip: text,
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: PORT_MAX })),
    protocol: text,
  }, closed)),
  http: Type.Optional(Type.Object({
    method: text,
    path: text,
    host: text,
    headers: textMap,
    body_size: Type.Optional(Type.Integer({ minimum: 0, maximum: BODY_SIZE_MAX })),
  }, closed)),
  dns: Type.Optional(Type.Object({ query: text, record_type: text }, closed)),
  docker: Type.Optional(Type.Object({
    image: text,
    command: texts,
    volumes: texts,
    env_keys: texts,
    capabilities: texts,
  }, closed)),
  run: Type.Optional(Type.Object({
    tool: text,
    path: text,
    cwd: text,
    args: texts,
    flags: texts,
    argv: texts,
    parsed: Type.Optional(Type.Boolean()),
    context: Type.Optional(JsonMap),
  }, closed)),
  agent: Type.Optional(Type.Object({ id: text, name: text, image: text, labels: textMap }, closed)),
  envelope: Type.Optional(Type.Object({
    verified: Type.Optional(Type.Boolean()),
    outcome: text,
    age_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    facts: Type.Optional(JsonMap),
  }, closed)),
  action_type: text,
  target: text,
  metadata: Type.Optional(JsonMap),
}, closed);

// The schema and the domain's type must name the same members; this line fails to compile when they drift.
type SameKeys<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : never;
const contextKeysAgree: SameKeys<Static<typeof ContextSchema>, Context> = true;
void contextKeysAgree;

/** A context as the seed's types word it, with what they lack: path is the tool, argv the flags and then the arguments. */
export function completeContext(given: Context): Context {
  const { run } = given;
  if (run === undefined) return given;
  const { tool, args = [], flags = [] } = run;
  const path = tool === undefined ? {} : { path: tool };
  return { ...given, run: { ...path, argv: [...flags, ...args], parsed: true, ...run } };
}
