// The values that members of a request can have. A comparison with any other constant never matches. A member that a request
// leaves out of a present namespace has its zero value ("" or 0), so zero values are never reported.
import { didYouMean } from "../core/nearest.ts";
import { ACTION_TYPES } from "../wire/agent-api.ts";
import {
  addressFault,
  type Comparison,
  hostFault,
  type Impossible,
  pathFault,
  targetFault,
  write,
} from "./field-spelling.ts";

/** Judges a string that is compared with a member; null if the comparison can be true. */
type Judge = (value: string, comparison: Comparison) => Impossible | null;

/** Returns why a comparison of a member with a string is never true, or null. */
export function impossibleText(path: string, value: string, comparison: Comparison): Impossible | null {
  if (value === "") return null;
  return JUDGES.get(path)?.(value, comparison) ?? null;
}

/** Returns why a member never equals an integer, or null. */
export function impossibleNumber(path: string, value: bigint): Impossible | null {
  if (path === "network.port" && (value < 0n || value > 65_535n)) return { why: "ports go from 0 to 65535" };
  const isCount = path === "http.body_size" || path === "envelope.age_seconds";
  return isCount && value < 0n ? { why: "it is never negative" } : null;
}

/** Returns why a map of the request never has a key, or null. */
export function impossibleKey(map: string, key: string): Impossible | null {
  if (map !== "http.headers" || key === key.toLowerCase()) return null;
  return { why: "names of headers are in lower case", hint: write(key.toLowerCase()) };
}

/** Returns why a list of the request never has an element, or null. */
export function impossibleElement(list: string, element: string): Impossible | null {
  if (list !== "run.flags" || element.startsWith("-")) return null;
  return { why: "flags begin with a dash", hint: `write ${JSON.stringify(`--${element}`)}, or test run.args` };
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
const OUTCOMES = ["verified", "failed", "vacuous", "unverified", "none"];
const ACTION_SYNONYMS = {
  exec: "tool_exec",
  tool: "tool_exec",
  run: "tool_exec",
  shell: "shell_exec",
  network: "network_call",
  http: "network_call",
  http_request: "network_call",
  file: "file_access",
  dns: "dns_query",
  docker: "docker_api",
};
const OUTCOME_SYNONYMS = { passed: "verified", pass: "verified", ok: "verified", success: "verified", error: "failed" };

/** Every action type that a rule can meet: those of agents, and those that enforcement points alone report. */
const RULE_ACTION_TYPES = [...new Set([...ACTION_TYPES, "dns_query", "docker_api"])];

const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ["action_type", oneOf("action types", RULE_ACTION_TYPES, ACTION_SYNONYMS)],
  ["envelope.outcome", oneOf("outcomes", OUTCOMES, OUTCOME_SYNONYMS)],
  ["http.scheme", oneOf("schemes", ["http", "https"])],
  ["network.protocol", protocol],
  ["http.method", method],
  ["dns.record_type", capitals("record types")],
  ["network.hostname", hostFault],
  ["network.ip", addressFault],
  ["http.host", hostFault],
  ["dns.query", hostFault],
  ["http.path", urlPath],
  ["run.tool", tool],
  ["run.path", pathFault],
  ["run.executable", pathFault],
  ["target", targetFault],
  ["target of no shell line", (value, comparison) => targetFault(value, comparison) ?? pathFault(value, comparison)],
]);

function oneOf(noun: string, known: readonly string[], synonyms: Readonly<Record<string, string>> = {}): Judge {
  return (value, comparison) => {
    if (known.some((each) => holds(each, comparison, value))) return null;
    const why = `the ${noun} are ${known.join(", ")}`;
    const synonym = synonyms[value.toLowerCase()];
    const near = synonym === undefined ? didYouMean(value, known) : `did you mean ${JSON.stringify(synonym)}?`;
    const hint = comparison === "equals" ? near : undefined;
    return hint === undefined ? { why } : { why, hint };
  };
}

function holds(text: string, comparison: Comparison, part: string): boolean {
  switch (comparison) {
    case "equals":
      return text === part;
    case "startsWith":
      return text.startsWith(part);
    case "endsWith":
      return text.endsWith(part);
    case "contains":
      return text.includes(part);
  }
}

function protocol(value: string, comparison: Comparison): Impossible | null {
  const fault = oneOf("protocols", ["tcp", "udp"])(value, comparison);
  if (fault === null || !/^https?$/i.test(value)) return fault;
  return {
    why: fault.why,
    hint: value.toLowerCase() === "https" ? "test network.port == 443" : "test network.port == 80",
  };
}

function method(value: string): Impossible | null {
  if (/[a-z]/.test(value)) return { why: "methods are in capitals", hint: write(value.toUpperCase()) };
  return /^[!#$%&'*+.^_`|~0-9A-Z-]+$/.test(value)
    ? null
    : { why: `methods are words such as ${METHODS.slice(0, 3).join(", ")}` };
}

function capitals(noun: string): Judge {
  return (value) =>
    value === value.toUpperCase() ? null : { why: `${noun} are in capitals`, hint: write(value.toUpperCase()) };
}

function urlPath(value: string, comparison: Comparison): Impossible | null {
  if (/[?#]/.test(value)) {
    const path = value.replace(/[?#].*$/s, "");
    const hint = comparison === "equals" && path.startsWith("/") ? write(path) : undefined;
    return { why: "the path has no query and no fragment", ...(hint === undefined ? {} : { hint }) };
  }
  if (/\s/.test(value)) return { why: "the path of a URL has no white space" };
  if (value.includes("\\")) return { why: "a request whose path has a backslash is refused" };
  const begins = comparison === "equals" || comparison === "startsWith";
  if (!begins || value === "*") return null;
  if (/\/\.\.?(?:\/|$)/.test(comparison === "equals" ? value : value.replace(/[^/]*$/, ""))) {
    return { why: "the path has no . and no .." };
  }
  if (value.startsWith("/")) return null;
  return { why: 'a path begins with "/"', ...(/^[a-z]+:\/\//i.test(value) ? {} : { hint: write(`/${value}`) }) };
}

function tool(value: string): Impossible | null {
  if (!value.includes("/")) return null;
  return { why: "run.tool is the last part of the program's path", hint: "test run.path" };
}
