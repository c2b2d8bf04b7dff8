// Context from outside, such as an operator's -> the context that the daemon would make of the same action: canonical, and with
// the members that follow from others. Every context from outside is read here, so that a what-if and the daemon judge the
// same context. A context that cannot be made canonical is refused. A complete one is returned unchanged.
import type { Context, NamespaceContext, NetworkContext, RunContext } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { unobservedProgram } from "../core/unobserved.ts";
import { ok, type Result } from "../core/result.ts";
import { sortArguments } from "./arguments.ts";
import { canonicalHost } from "./canonical-host.ts";
import { canonicalMethod, completeHttp } from "./complete-http.ts";
import { canonicalProgram, resolvePath } from "./file-path.ts";
import { canonicalPath, parseNetworkTarget } from "./network-target.ts";
import { refuse } from "./refusal.ts";

/** Returns the context canonical and complete, or a problem (`daemon.unprocessable`) that names the first wrong member. */
export function completeContext(given: Context): Result<Context, Problem> {
  const target = given.target === undefined ? ok(undefined) : canonicalTarget(given, given.target);
  if (!target.ok) return target;
  const network = given.network === undefined ? ok(undefined) : completeNetwork(given.network);
  if (!network.ok) return network;
  const http = given.http === undefined ? ok(undefined) : completeHttp(given.http);
  if (!http.ok) return http;
  const words = target.value === undefined ? given : { ...given, target: target.value };
  const run = given.run === undefined ? ok(undefined) : completeRun(given.run, words);
  if (!run.ok) return run;
  return ok({
    observed: false,
    ...words,
    ...(network.value === undefined ? {} : { network: network.value }),
    ...(http.value === undefined ? {} : { http: http.value }),
    ...(given.dns === undefined ? {} : { dns: completeDns(given.dns) }),
    ...(run.value === undefined ? {} : { run: run.value }),
  });
}

// The canonical form depends on the kind of action. The target of a shell action, or of an unknown kind, is kept.
function canonicalTarget(context: Context, target: string): Result<string, Problem> {
  if (target === "") return ok(target);
  switch (context.action_type) {
    case "tool_exec":
      return ok(canonicalProgram(target, workingDirectoryOf(context)));
    case "file_access":
      return resolvePath(target, workingDirectoryOf(context));
    case "network_call": {
      const parsed = parseNetworkTarget(target);
      return parsed.ok ? ok(parsed.value.canonical) : parsed;
    }
    case "dns_query":
      return canonicalQuestion(target);
    case "docker_api":
      return canonicalCall(target);
    default:
      return ok(target);
  }
}

// `name TYPE`, or the name alone. A name may hold spaces, and a type has none.
function canonicalQuestion(target: string): Result<string, Problem> {
  const space = target.lastIndexOf(" ");
  if (space === 0 || space === target.length - 1) return refuse("target is not a name and a record type");
  if (space < 0) return ok(canonicalName(target));
  return ok(`${canonicalName(target.slice(0, space))} ${target.slice(space + 1).toUpperCase()}`);
}

// `METHOD /path` of a call of the Docker API.
function canonicalCall(target: string): Result<string, Problem> {
  const [, given = "", rest] = /^([^ ]+) (\/.*)$/s.exec(target) ?? [];
  if (rest === undefined) return refuse("target is not a method and a path");
  const method = canonicalMethod(given, "the target's method");
  if (!method.ok) return method;
  const path = canonicalPath(rest);
  return path.ok ? ok(`${method.value} ${path.value}`) : path;
}

function workingDirectoryOf({ run, metadata }: Context): string | null {
  const cwd = run?.cwd ?? metadata?.["cwd"];
  return typeof cwd === "string" ? cwd : null;
}

// If the host is an address, the daemon also sets `network.ip`.
function completeNetwork(given: NetworkContext): Result<NetworkContext, Problem> {
  const host = given.hostname ? canonicalHost(given.hostname) : ok(null);
  if (!host.ok) return host;
  const address = given.ip ? canonicalHost(given.ip) : ok(null);
  if (!address.ok) return address;
  if (address.value !== null && address.value.ip === undefined) {
    return refuse(`network.ip ${quote(given.ip ?? "")} is not an address`);
  }
  const ip = address.value?.ip ?? host.value?.ip;
  if (host.value?.ip !== undefined && host.value.ip !== ip) {
    return refuse("network.ip is another address than network.hostname");
  }
  return ok({
    ...given,
    ...(host.value === null ? {} : { hostname: host.value.hostname }),
    ...(ip === undefined ? {} : { ip }),
    ...(given.protocol === undefined ? {} : { protocol: given.protocol.toLowerCase() }),
  });
}

// A DNS name may hold any characters. Case and one trailing dot have no meaning in any of them.
function completeDns(given: NamespaceContext<"dns">): NamespaceContext<"dns"> {
  const { query, record_type } = given;
  return {
    ...given,
    ...(query === undefined ? {} : { query: canonicalName(query) }),
    ...(record_type === undefined ? {} : { record_type: record_type.toUpperCase() }),
  };
}

function canonicalName(name: string): string {
  const lower = name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}

function completeRun(given: RunContext, context: Context): Result<RunContext, Problem> {
  const vector = completeVector(given, context);
  if (!vector.ok) return vector;
  const named = given.path ?? given.tool;
  const path = named === undefined ? undefined : canonicalProgram(named, workingDirectoryOf(context));
  const more = contextOfRun(given, context);
  const { flags: _flags, ...rest } = given;
  return ok({
    parsed: true,
    changed: true,
    env_keys: [],
    ...(path === undefined ? {} : unobservedProgram(path)),
    ...rest,
    ...vector.value,
    ...(path === undefined ? {} : { path }),
    ...(given.executable === undefined ? {} : { executable: canonicalProgram(given.executable, null) }),
    ...(more === undefined ? {} : { context: more }),
  });
}

// `run.context` is the metadata with `action_type` and `target`, which replace entries of the same names.
function contextOfRun(given: RunContext, { action_type, target, metadata }: Context): RunContext["context"] {
  const words = {
    ...(action_type === undefined ? {} : { action_type }),
    ...(target === undefined ? {} : { target }),
  };
  const entries = given.context ?? metadata;
  return entries === undefined && Object.keys(words).length === 0 ? undefined : { ...entries, ...words };
}

type Vector = Pick<RunContext, "argv" | "args" | "flags">;

// `args` and `flags` follow from `argv`. Without `argv` they are kept, and `argv` becomes the flags and then the arguments.
function completeVector(given: RunContext, context: Context): Result<Vector, Problem> {
  const args = canonicalArguments(given.args, context);
  if (!args.ok) return args;
  const argv = canonicalArguments(given.argv, context);
  if (!argv.ok) return argv;
  const { flags } = given;
  if (argv.value === undefined) {
    const shown = { ...(args.value && { args: args.value }), ...(flags && { flags }) };
    return ok({ ...shown, argv: [...(flags ?? []), ...(args.value ?? [])] });
  }
  // A shell line that was not parsed is one argument, and its flags are not known.
  const sorted: Vector = given.parsed === false ? { args: argv.value } : sortArguments(argv.value);
  if (args.value !== undefined && !sameTexts(args.value, sorted.args ?? [])) {
    return refuse("run.args is not what follows from run.argv; leave it out");
  }
  if (flags !== undefined && !sameTexts(flags, sorted.flags ?? [])) {
    return refuse("run.flags is not what follows from run.argv; leave it out");
  }
  return ok({ ...sorted, argv: argv.value });
}

// A file access has one argument, the path.
function canonicalArguments(
  given: readonly string[] | undefined,
  context: Context,
): Result<readonly string[] | undefined, Problem> {
  const [first] = given ?? [];
  if (context.action_type !== "file_access" || first === undefined || given?.length !== 1) return ok(given);
  const path = resolvePath(first, workingDirectoryOf(context));
  return path.ok ? ok([path.value]) : path;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
