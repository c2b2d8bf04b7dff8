// Permission request of an agent -> context, or a refusal (S004-FR-013, S004-AS-009). The context is canonical and limited in
// size. The caller adds `agent` and `envelope`, which only the host knows.
import { Buffer } from "node:buffer";
import type { Context, RunContext } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { ACTION_TYPES, type ActionType, type PermissionBody } from "../wire/agent-api.ts";
import { checkMetadata, type Metadata } from "./metadata.ts";
import { networkNamespaces } from "./network-context.ts";
import { parseNetworkTarget } from "./network-target.ts";
import { refuse } from "./refusal.ts";
import { fileRun, shellRun, toolRun } from "./run-context.ts";

/** The longest target, in bytes of UTF-8; all arguments together have the same limit. */
export const TARGET_LIMIT_BYTES = 64 * 1_024;

/** Makes the context of a request, without `agent` and `envelope`. */
export function contextOf(request: PermissionBody): Result<Context, Problem> {
  const { action_type: type, target } = request;
  if (!isActionType(type)) return refuse(`unknown action_type ${quote(type)}, known are ${ACTION_TYPES.join(", ")}`);
  if (target === "") return refuse("target is empty");
  if (Buffer.byteLength(target) > TARGET_LIMIT_BYTES) return refuse(`target is over ${TARGET_LIMIT_BYTES} bytes`);
  // A lone surrogate has no UTF-8 form, so the record would show a different character than the rules saw.
  if (!target.isWellFormed()) return refuse("target is not well-formed Unicode");
  const metadata = checkMetadata(request.metadata ?? {});
  if (!metadata.ok) return metadata;
  return type === "network_call" ? networkRequest(target, metadata.value) : runRequest(type, target, metadata.value);
}

function networkRequest(text: string, metadata: Metadata): Result<Context, Problem> {
  const target = parseNetworkTarget(text);
  if (!target.ok) return target;
  const namespaces = networkNamespaces(target.value, metadata);
  if (!namespaces.ok) return namespaces;
  return ok({ ...namespaces.value, action_type: "network_call", target: target.value.canonical, metadata });
}

/** The kinds of action that are about a program or a file. */
type RunType = Exclude<ActionType, "network_call">;

const RUNS: Readonly<Record<RunType, (target: string, metadata: Metadata) => Result<RunContext, Problem>>> = {
  tool_exec: toolRun,
  shell_exec: shellRun,
  file_access: fileRun,
};

function runRequest(type: RunType, given: string, metadata: Metadata): Result<Context, Problem> {
  const run = RUNS[type](given, metadata);
  if (!run.ok) return run;
  const words = { action_type: type, target: canonicalTarget(type, given, run.value) };
  return ok({ run: { ...run.value, context: { ...metadata, ...words } }, ...words, metadata });
}

// Canonical, so that `/workspace/../etc/shadow` does not match a rule about `/workspace/`.
function canonicalTarget(type: RunType, given: string, { path = given, args = [given] }: RunContext): string {
  switch (type) {
    case "tool_exec":
      return path;
    case "shell_exec":
      return given;
    case "file_access":
      return args[0] ?? given;
  }
}

function isActionType(text: string): text is ActionType {
  return ACTION_TYPES.some((type) => type === text);
}
