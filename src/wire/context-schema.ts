// The evaluation context as it comes over the host socket and from files: closed maps, members of a namespace may be left
// out (S003 section 10). `enriched` is not among them: only hooks write it.
import { type Static, Type } from "@sinclair/typebox";
import { text as describedText, texts as describedTexts, whole } from "./described.ts";
import type { Context } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";

const closed = { additionalProperties: false };
const text = (description: string) => Type.Optional(describedText(description));
const texts = (description: string) => Type.Optional(describedTexts(description));
const textMap = (description: string) => Type.Optional(Type.Record(Type.String(), Type.String(), { description }));
const map = (description: string) => {
  return Type.Optional(Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown(), { description })));
};

/** A map whose values are any JSON. */
export const JsonMap = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));

/** The body size a 64-bit float still counts exactly. */
const BODY_SIZE_MAX = Number.MAX_SAFE_INTEGER;

/** The highest port. */
const PORT_MAX = 65_535;

/** The schema of one context; the reference of the rule language has its sentences too. */
export const ContextSchema = Type.Object({
  network: Type.Optional(Type.Object({
    hostname: text("Host name or address in its one spelling: lower case, no trailing dot."),
    ip: text("The address, where the host is one; IPv4-mapped IPv6 stands as IPv4."),
    port: Type.Optional(whole("Port.", { minimum: 0, maximum: PORT_MAX })),
    protocol: text("tcp or udp."),
  }, { ...closed, description: "A connection." })),
  http: Type.Optional(Type.Object({
    method: text("Method; of an agent's request in capitals."),
    path: text("Path without query and fragment, dot segments resolved."),
    host: text("Host name."),
    headers: textMap("Headers; names in lower case."),
    body_size: Type.Optional(whole("Length of the body in bytes.", { minimum: 0, maximum: BODY_SIZE_MAX })),
  }, { ...closed, description: "An HTTP request." })),
  dns: Type.Optional(Type.Object({
    query: text("The name that is asked for."),
    record_type: text("The type of record, such as A."),
  }, { ...closed, description: "A DNS question." })),
  docker: Type.Optional(Type.Object({
    image: text("Image."),
    command: texts("Command line."),
    volumes: texts("Mounts."),
    env_keys: texts("Names of the environment variables."),
    capabilities: texts("Capabilities that are added."),
  }, { ...closed, description: "A request to a Docker engine." })),
  run: Type.Optional(Type.Object({
    tool: text("Last part of the program's path; sh for a line of a shell, file for a file."),
    path: text("The program; an absolute path has its dot segments resolved."),
    cwd: text("Working directory, as given."),
    args: texts("Positional arguments."),
    flags: texts("Flags as typed, behind -- too; for --name=value also --name, for -uf also -u and -f."),
    argv: texts("The arguments as given, without the program."),
    parsed: Type.Optional(Type.Boolean({ description: "False where a shell line could not be taken apart." })),
    context: map("The metadata, action_type, target, and what hooks add."),
  }, { ...closed, description: "A program that is to be run, or a file." })),
  agent: Type.Optional(Type.Object({
    id: text("Full id of the container."),
    name: text("Its name; its short id where the source has no names."),
    image: text("Its image; empty where the source knows none."),
    labels: textMap("Its labels."),
  }, { ...closed, description: "The asking container as the host knows it, never in the agent's words." })),
  envelope: Type.Optional(Type.Object({
    verified: Type.Optional(Type.Boolean({ description: "Whether the operator's invariants hold on the facts." })),
    outcome: text("verified, failed, vacuous, unverified, or none before the first envelope."),
    age_seconds: Type.Optional(
      whole("Age of the envelope; 2^53-1 before the first.", { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ),
    facts: map("The facts, the agent's own word."),
  }, { ...closed, description: "The newest envelope of the asking container's present life." })),
  action_type: text("The kind of action an agent asks about."),
  target: text(
    "What the action is done to, in canonical form: a program path, URL, host:port, file path or shell line.",
  ),
  metadata: map("What the agent says besides."),
}, { ...closed, description: "What a request is about. A namespace that is left out is absent." });

// The schema and the domain's type must name the same members; this line fails to compile when they drift.
type SameKeys<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : never;
const contextKeysAgree: SameKeys<Static<typeof ContextSchema>, Context> = true;
void contextKeysAgree;
