// Entry: something that happened, as the daemon passes it to the decision log. An entry may hold secrets: they are taken out
// when it becomes a row.
import type { Context } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";

/** Where an entry comes from: an agent's request, the host socket, or the daemon itself. */
type EntrySource = "agent" | "host" | "daemon";

/** The container of an entry, by full id and name; both are null where there is none. */
export type EntryContainer = { readonly id: string | null; readonly name: string | null };

/** No container. */
export const NO_CONTAINER: EntryContainer = { id: null, name: null };

/** An error of an evaluation that still gave a decision. */
export type EntryError = { readonly rule: string; readonly file: string; readonly message: string };

/** A decision, or the answer to a what-if of the operator, for which no action waits. */
export type DecisionEntry = {
  readonly kind: "decision" | "what-if";
  readonly at: Date;
  readonly source: "agent" | "host";
  readonly container: EntryContainer;
  readonly decision: "allow" | "block";
  /** The id of the rule that decided; null where no rule did, for example after a time-out. */
  readonly rule: string | null;
  readonly file: string | null;
  /** The digest of the rule set that decided. */
  readonly digest: string;
  readonly reason: string | null;
  readonly durationMs: number;
  /** The ids of the enrich rules whose hooks ran. */
  readonly hooks: readonly string[];
  readonly errors: readonly EntryError[];
  /** Whether a rule with `log: true` matched. A block is an audit record in any case. */
  readonly logged: boolean;
  /** The whole context, as it was judged. */
  readonly context: Context;
  /** The target as the agent wrote it, if that differs from the canonical target of the context; else null. */
  readonly rawTarget: string | null;
};

/** One expression that the operator had tested against a context. */
export type ExpressionEntry = {
  readonly kind: "what-if";
  readonly at: Date;
  readonly source: "host";
  readonly container: EntryContainer;
  readonly expression: string;
  readonly result: boolean;
  /** The reason why the expression is neither true nor false. */
  readonly error: string | null;
  /** The digest of the rule set in force. */
  readonly digest: string;
  readonly durationMs: number;
  readonly context: Context;
};

/**
 * The kinds of entries that are not decisions: a refused request, the use of another container's token, an approval or denial
 * of a rule request, a reload, the daemon's start and stop, lost records, removed records.
 */
export type EventKind =
  | "refusal"
  | "misuse"
  | "approval"
  | "reload"
  | "start"
  | "stop"
  | "log.gap"
  | "log.checkpoint";

/** An entry that is not a decision; `detail` has plain members. */
export type EventEntry = {
  readonly kind: EventKind;
  readonly at: Date;
  readonly source: EntrySource;
  readonly container: EntryContainer;
  readonly reason: string | null;
  readonly detail: JsonObject;
};

/** An entry of the decision log. */
export type Entry = DecisionEntry | ExpressionEntry | EventEntry;

/** Every kind of record. */
export const KINDS = [
  "decision",
  "what-if",
  "refusal",
  "misuse",
  "approval",
  "reload",
  "start",
  "stop",
  "log.gap",
  "log.checkpoint",
] as const satisfies readonly Entry["kind"][];

/** Whether an entry is an audit record, which is synced before its answer is sent. */
export function isAudit(entry: Entry): boolean {
  if (entry.kind === "what-if") return false;
  if (entry.kind === "decision") return entry.decision === "block" || entry.logged;
  return entry.kind !== "refusal";
}
