// A context -> what a record may hold of it: namespaces and their plain members through the rules for texts and arguments,
// and of everything else the names with typed placeholders. Nothing here copies a value that it does not know.
import type {
  AgentContext,
  Context,
  DnsContext,
  DockerContext,
  EnvelopeContext,
  HttpContext,
  NetworkContext,
  RunContext,
} from "../core/context.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { hideQuery } from "./hide-urls.ts";
import { isSecretName } from "./hide-named.ts";
import { type HiddenKind, placeholder } from "./placeholder.ts";
import { redactArguments, redactLine } from "./redact-arguments.ts";
import { redactText } from "./redact-text.ts";

/** What is known of a context besides itself. */
export type RedactContextOptions = {
  /** Whether `run.argv` is the vector as it was given; else it was put together from flags and arguments. */
  readonly ordered: boolean;
};

/** The context without anything that may not be stored. */
export function redactContext(context: Context, { ordered }: RedactContextOptions): JsonObject {
  const { network, http, dns, docker, run, agent, envelope, action_type, target, metadata } = context;
  return defined({
    action_type: text(action_type),
    target: target === undefined ? undefined : redactTarget(action_type, target),
    network: network === undefined ? undefined : redactNetwork(network),
    http: http === undefined ? undefined : redactHttp(http),
    dns: dns === undefined ? undefined : redactDns(dns),
    docker: docker === undefined ? undefined : redactDocker(docker),
    run: run === undefined ? undefined : redactRun(run, context, ordered),
    agent: agent === undefined ? undefined : redactAgent(agent),
    envelope: envelope === undefined ? undefined : redactEnvelope(envelope),
    metadata: metadata === undefined ? undefined : hideValues("metadata", metadata),
  });
}

/** A target as it was given or in its canonical form, by the kind of action it belongs to. */
export function redactTarget(actionType: string | undefined, target: string): string {
  if (actionType === "shell_exec") return redactLine(target);
  return redactText(actionType === "network_call" ? hideQuery(target) : target);
}

function redactNetwork({ hostname, ip, port, protocol }: NetworkContext): JsonObject {
  return defined({ hostname: text(hostname), ip: text(ip), port, protocol: text(protocol) });
}

function redactHttp({ method, path, host, headers, body_size }: HttpContext): JsonObject {
  return defined({
    method: text(method),
    path: path === undefined ? undefined : redactText(hideQuery(path)),
    host: text(host),
    headers: headers === undefined ? undefined : hideValues("header", headers),
    body_size,
  });
}

function redactDns({ query, record_type }: DnsContext): JsonObject {
  return defined({ query: text(query), record_type: text(record_type) });
}

function redactDocker({ image, command, volumes, env_keys, capabilities }: DockerContext): JsonObject {
  return defined({
    image: text(image),
    command: command === undefined ? undefined : redactArguments(command),
    volumes: volumes?.map(redactText),
    env_keys: env_keys?.map(redactEnvironment),
    capabilities: capabilities?.map(redactText),
  });
}

// Keys alone are what the member is for, but nothing keeps a value out of it.
function redactEnvironment(key: string): string {
  const equals = key.indexOf("=");
  if (equals < 0) return redactText(key);
  return `${redactText(key.slice(0, equals))}=${placeholder("environment", key.slice(equals + 1))}`;
}

// `args` and `flags` say nothing that `argv` does not say, and a secret's letters may stand among the flags of a cluster.
function redactRun(run: RunContext, { metadata }: Context, ordered: boolean): JsonObject {
  const { tool, path, cwd, args, flags = [], argv, parsed, context } = run;
  const more = Object.entries(context ?? {}).filter(([key]) => {
    return key !== "action_type" && key !== "target" && !Object.hasOwn(metadata ?? {}, key);
  });
  return defined({
    tool: text(tool),
    path: text(path),
    cwd: text(cwd),
    argv: redactVector(argv ?? [...flags, ...(args ?? [])], run, ordered && argv !== undefined),
    parsed,
    context: more.length === 0 ? undefined : hideValues("metadata", Object.fromEntries(more)),
  });
}

// Where nobody knows which argument stood behind a secret flag, any may be its value.
function redactVector(argv: readonly string[], run: RunContext, ordered: boolean): readonly string[] {
  const { flags = [], args = [] } = run;
  if (run.parsed === false) return argv.map(redactLine);
  const program = run.path ?? run.tool ?? "";
  const isJoined = !ordered && sameTexts(argv, [...flags, ...args]);
  const takesValue = flags.some((flag) => !flag.includes("=") && (isSecretName(flag) || /^-[auUHpe]$/.test(flag)));
  if (!isJoined || !takesValue) return redactArguments(argv, program);
  const shown = redactArguments(flags, program);
  return [...shown, ...args.map((argument) => placeholder("argument", argument))];
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

function redactAgent({ id, name, image, labels }: AgentContext): JsonObject {
  return defined({
    id: text(id),
    name: text(name),
    image: text(image),
    labels: labels === undefined ? undefined : hideValues("label", labels),
  });
}

function redactEnvelope({ verified, outcome, age_seconds, facts }: EnvelopeContext): JsonObject {
  return defined({
    verified,
    outcome: text(outcome),
    age_seconds,
    facts: facts === undefined ? undefined : hideValues("fact", facts),
  });
}

/** The names of an object, each with a placeholder for its value. */
function hideValues(kind: HiddenKind, values: { readonly [name: string]: Json }): JsonObject {
  const entries = Object.entries(values).map(([name, value]) => {
    const whole = typeof value === "string" ? value : JSON.stringify(value);
    return [redactText(name), placeholder(kind, whole)] as const;
  });
  return Object.fromEntries(entries);
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : redactText(value);
}

function defined(members: { readonly [name: string]: Json | undefined }): JsonObject {
  const entries = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  return Object.fromEntries(entries);
}
