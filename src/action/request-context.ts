// Permission request, as the agent words it -> evaluation context, or a refusal (S004-FR-013, S004-AS-009). Pure. What
// comes out is canonical and bounded; a caller adds `agent` and `envelope`, which are the host's knowledge.
import { Buffer } from "node:buffer";
import type { Context, RunContext } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { ACTION_TYPES, type ActionType, type PermissionBody } from "../wire/agent-api.ts";
import { checkMetadata, type Metadata } from "./metadata.ts";
import { networkNamespaces } from "./network-context.ts";
import { refuse } from "./refusal.ts";
import { fileRun, shellRun, toolRun } from "./run-context.ts";

/** The longest target, in bytes of UTF-8: as long as all arguments of a line may be together. */
export const TARGET_LIMIT_BYTES = 64 * 1_024;

/** Everything of a context but `agent` and `envelope`, which the caller adds. */
export function contextOf(request: PermissionBody): Result<Context, Problem> {
  const { action_type: type, target } = request;
  if (!isActionType(type)) return refuse(`unknown action_type ${quote(type)}, known are ${ACTION_TYPES.join(", ")}`);
  if (target === "") return refuse("target is empty");
  if (Buffer.byteLength(target) > TARGET_LIMIT_BYTES) return refuse(`target is over ${TARGET_LIMIT_BYTES} bytes`);
  // A lone surrogate would become another character in the record than in the verdict.
  if (!target.isWellFormed()) return refuse("target is not well-formed Unicode");
  const metadata = checkMetadata(request.metadata ?? {});
  if (!metadata.ok) return metadata;
  const namespaces = namespacesOf(type, target, metadata.value);
  return namespaces.ok ? ok({ ...namespaces.value, action_type: type, target, metadata: metadata.value }) : namespaces;
}

// One for each kind that is about a program or a file; a new kind fails to compile here.
const RUNS: Readonly<
  Record<Exclude<ActionType, "network_call">, (target: string, metadata: Metadata) => Result<RunContext, Problem>>
> = { tool_exec: toolRun, shell_exec: shellRun, file_access: fileRun };

function namespacesOf(type: ActionType, target: string, metadata: Metadata): Result<Context, Problem> {
  if (type === "network_call") return networkNamespaces(target, metadata);
  const run = RUNS[type](target, metadata);
  return run.ok ? ok({ run: { ...run.value, context: { ...metadata, action_type: type, target } } }) : run;
}

function isActionType(text: string): text is ActionType {
  return ACTION_TYPES.some((type) => type === text);
}
