// Network target and metadata -> the `network` namespace, and `http` if the request is an HTTP request.
import type { Context, HttpContext } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { canonicalMethod } from "./complete-http.ts";
import { type Metadata, textEntry } from "./metadata.ts";
import type { NetworkTarget } from "./network-target.ts";
import { refuse } from "./refusal.ts";

/** Makes the namespaces of a network call: `network`, and `http` for http and https URLs or a given `metadata.method`. */
export function networkNamespaces(
  target: NetworkTarget,
  metadata: Metadata,
): Result<Pick<Context, "network" | "http">, Problem> {
  const protocol = protocolOf(metadata);
  if (!protocol.ok) return protocol;
  const http = httpOf(target, metadata);
  if (!http.ok) return http;
  const network = { ...target.host, port: target.port, protocol: protocol.value };
  return ok(http.value === null ? { network } : { network, http: http.value });
}

function protocolOf(metadata: Metadata): Result<string, Problem> {
  const given = textEntry(metadata, "protocol");
  if (!given.ok) return given;
  const protocol = given.value ?? "tcp";
  return protocol === "tcp" || protocol === "udp" ? ok(protocol) : refuse('metadata.protocol is not "tcp" or "udp"');
}

function httpOf(target: NetworkTarget, metadata: Metadata): Result<HttpContext | null, Problem> {
  const given = textEntry(metadata, "method");
  if (!given.ok) return given;
  if (given.value === null && target.scheme !== "http" && target.scheme !== "https") return ok(null);
  const method = canonicalMethod(given.value ?? "GET", "metadata.method");
  if (!method.ok) return method;
  const { host: { hostname: host }, scheme, path, query } = target;
  const named = scheme === null ? {} : { scheme };
  return ok({ method: method.value, path, query, host, ...named, headers: {}, body_size: 0 });
}
