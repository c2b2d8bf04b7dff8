// Reads contexts.yaml, with abbreviated rows expanded: each row is a permission request and its context or refusal.
import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { parse } from "yaml";
import type { Context, HttpContext, NetworkContext, RunContext } from "../../src/core/context.ts";
import type { PermissionBody } from "../../src/wire/agent-api.ts";

/** One row: the request, and its context or a part of the refusal's message. */
export type ContextCase = {
  readonly note: string;
  readonly request: PermissionBody;
  readonly expected: Context | { readonly refused: string };
};

type Row = {
  readonly note: string;
  readonly type: string;
  readonly target: string;
  readonly metadata?: NonNullable<PermissionBody["metadata"]>;
  readonly refused?: string;
  /** The target in the context, if it differs from the target in the request. */
  readonly canonical?: string;
  readonly run?: RunContext;
  readonly unparsed?: true;
  readonly file?: string;
  readonly network?: NetworkContext;
  readonly http?: HttpContext;
};

/** All rows of the table. */
export function readContextCases(): readonly ContextCase[] {
  const text = readFileSync(new URL("contexts.yaml", import.meta.url), "utf8");
  const rows = expand(parse(text)) as readonly Row[];
  return rows.map((row) => {
    const metadata = row.metadata === undefined ? {} : { metadata: row.metadata };
    return {
      note: row.note,
      request: { action_type: row.type, target: row.target, ...metadata },
      expected: row.refused === undefined ? expectedContext(row) : { refused: row.refused },
    };
  });
}

function expectedContext(row: Row): Context {
  const metadata = (row.metadata ?? {}) as NonNullable<Context["metadata"]>;
  const run = expectedRun(row);
  const program = row.type === "tool_exec" ? row.run?.path : undefined;
  const words = { action_type: row.type, target: row.canonical ?? row.file ?? program ?? row.target };
  return {
    ...words,
    metadata,
    ...(run === undefined
      ? {}
      : { run: { ...run, ...UNOBSERVED, ...programOf(run), context: { ...metadata, ...words } } }),
    ...(row.network === undefined ? {} : { network: row.network }),
    ...(row.http === undefined
      ? {}
      : { http: { query: "", ...schemeOf(row.target), ...row.http, headers: {}, body_size: 0 } }),
  };
}

// Without observation, `changed` and `env_keys` have the values that are worst for the program.
const UNOBSERVED = { changed: true, env_keys: [] };

function programOf({ path = "", tool = "" }: RunContext): RunContext {
  return { executable: path, argv0: tool };
}

function schemeOf(target: string): HttpContext {
  const end = target.indexOf("://");
  return end < 0 ? {} : { scheme: target.slice(0, end).toLowerCase() };
}

function expectedRun(row: Row): RunContext | undefined {
  if (row.unparsed) return { tool: "sh", path: "sh", args: [row.target], argv: [row.target], parsed: false };
  if (row.file === undefined) return row.run;
  return { tool: "file", path: "file", args: [row.file], flags: [], argv: [row.file], parsed: true };
}

function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== "object" || value === null) return value;
  const { $text: text, $list: item, $times: times, $unit: unit } = value as Record<string, unknown>;
  if (typeof unit === "number") return String.fromCharCode(unit);
  if (typeof text === "string") return text.repeat(Number(times));
  if (typeof item === "string") return Array.from({ length: Number(times) }, () => item);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
}
