// The canonical spelling of hosts, addresses, paths and targets in a context. A literal in another spelling never equals them.
// Only what is certain is reported.
import { escapeText } from "../core/quote.ts";

/** The reason why a member never has a value, and the hint that names the right spelling. */
export type Impossible = { readonly why: string; readonly hint?: string };

/** The ways in which a string is compared with a member. */
export type Comparison = "equals" | "startsWith" | "endsWith" | "contains";

/** Returns why a host never has this spelling, or null. */
export function hostFault(value: string, comparison: Comparison): Impossible | null {
  if (/[A-Z]/.test(value)) return { why: "hosts are in lower case", hint: write(value.toLowerCase()) };
  if (/^[a-z]+:\/\//.test(value)) return { why: "a host has no scheme", ...hostOf(value, comparison) };
  if (value.includes("*")) return { why: "a host has no wildcard", ...endingOf(value, comparison) };
  if (value.includes("/")) return { why: "a host has no path", ...hostOf(`x://${value}`, comparison) };
  if (/[^\x21-\x7e]/.test(value)) {
    return { why: "a host is ASCII without white space", ...hostOf(`x://${value}`, comparison) };
  }
  if (/[^a-z0-9._:-]/.test(value)) return { why: "a host is made of letters, digits, dots, hyphens and underscores" };
  const ends = comparison === "equals" || comparison === "endsWith";
  if (comparison === "equals" && value.includes("::ffff:")) return addressSpelling(value);
  if (ends && value.endsWith(".")) return { why: "a host has no trailing dot", hint: write(value.replace(/\.+$/, "")) };
  if (comparison === "equals" && /^[^:]+:[0-9]+$/.test(value)) {
    return { why: "a host has no port", hint: `${write(value.replace(/:.*$/, ""))}, and test network.port` };
  }
  return null;
}

// The hint with the host of a URL, if the comparison is with a whole host.
function hostOf(url: string, comparison: Comparison): { readonly hint?: string } {
  const host = comparison === "equals" ? URL.parse(url.replace(/^[a-z]+:/, "http:"))?.hostname : undefined;
  return host === undefined || host === "" ? {} : { hint: write(host) };
}

function endingOf(value: string, comparison: Comparison): { readonly hint?: string } {
  const ending = /^\*(\.[^*]+)$/.exec(value)?.[1];
  return ending === undefined || comparison === "contains" || comparison === "startsWith"
    ? {}
    : { hint: `write .endsWith(${JSON.stringify(ending)})` };
}

/** Returns why a path never has this spelling, or null. A shell line may name a program without its path. */
export function pathFault(value: string, comparison: Comparison): Impossible | null {
  const begins = comparison === "equals" || comparison === "startsWith";
  if (!begins) return null;
  if (value.startsWith("~")) return { why: "paths are absolute, and nothing expands a tilde" };
  const isWhole = comparison === "equals" && value !== "/";
  if (!value.startsWith("/") || !/\/\/|\/\.\.?\//.test(isWhole ? `${value}/` : value)) return null;
  const last = !isWhole && value.endsWith("/") ? "/" : "";
  return { why: "paths have no empty part, no . and no ..", hint: write(`${resolved(value)}${last}`) };
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Returns why a target never has this spelling, or null. Only URLs are judged: a shell action's target is any line. */
export function targetFault(value: string, comparison: Comparison): Impossible | null {
  if (comparison !== "equals" && comparison !== "startsWith") return null;
  const [head, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/[^/?#]*/.exec(value) ?? [];
  if (head === undefined || scheme === undefined || /\s/.test(value)) return null;
  if (/[A-Z]/.test(head)) {
    const why = "scheme and host of a URL are in lower case";
    return { why, hint: write(`${head.toLowerCase()}${value.slice(head.length)}`) };
  }
  return value.includes("#") ? { why: "a URL has no fragment", hint: write(value.replace(/#.*$/s, "")) } : null;
}

/** Returns why an IP address never has this spelling, or null. */
export function addressFault(value: string, comparison: Comparison): Impossible | null {
  if (/[A-Z]/.test(value)) return { why: "addresses are in lower case", hint: write(value.toLowerCase()) };
  if (value.includes("/")) {
    const range = JSON.stringify(value);
    const why = "it is one address, not a range";
    return comparison === "equals" ? { why, hint: `write cidr(${range}).containsIP(network.ip)` } : { why };
  }
  if (!/^[0-9a-f:.]+$/.test(value)) return { why: "it is an address, not a name", hint: "test network.hostname" };
  return comparison === "equals" ? addressSpelling(value) : null;
}

// An address in another spelling than that of a request, such as a mapped IPv4 address or one with zeros in front.
function addressSpelling(value: string): Impossible | null {
  const host = URL.parse(`http://${value.includes(":") ? `[${value}]` : value}/`)?.hostname;
  const mapped = /^\[::ffff:/.test(host ?? "");
  if (!mapped && host?.replace(/^\[(.*)\]$/, "$1") === value) return null;
  return {
    why: mapped ? "an IPv4-mapped address is written as its IPv4 address" : "addresses are in their shortest form",
  };
}

/** The hint to write another literal. */
export function write(text: string): string {
  return `write ${JSON.stringify(escapeText(text))}`;
}
