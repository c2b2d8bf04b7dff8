// Entry: something that happened, as whoever saw it tells the decision log. Nothing in it needs to be free of secrets:
// what may not be stored is taken out where an entry becomes a row.
import type { Context } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";

/** Who asked, or that the daemon itself did something. */
type EntrySource = "agent" | "host" | "daemon";

/** The container that something is about, by its full id and its name; both null where there is none. */
export type EntryContainer = { readonly id: string | null; readonly name: string | null };

/** No container. */
export const NO_CONTAINER: EntryContainer = { id: null, name: null };

/** Something that went wrong on the way to a decision. */
export type EntryError = { readonly rule: string; readonly file: string; readonly message: string };

/** A decision, or what would be decided: the answer to a what-if of the operator, which no action waits for. */
export type DecisionEntry = {
  readonly kind: "decision" | "what-if";
  readonly at: Date;
  readonly source: "agent" | "host";
  readonly container: EntryContainer;
  readonly decision: "allow" | "block";
  /** The id of the rule that decided; null where none did, as when time was up. */
  readonly rule: string | null;
  readonly file: string | null;
  /** The digest of the rule set that decided. */
  readonly digest: string;
  readonly reason: string | null;
  readonly durationMs: number;
  /** The ids of the enrich rules whose hooks ran. */
  readonly hooks: readonly string[];
  readonly errors: readonly EntryError[];
  /** Whether a rule with `log: true` had a part in it; a block is kept as an audit record all the same. */
  readonly logged: boolean;
  /** The whole context, as it was judged. */
  readonly context: Context;
  /** The target in the agent's own words, where they are others than the canonical ones of the context. */
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
  /** Why the expression is neither true nor false. */
  readonly error: string | null;
  /** The digest of the rule set in force. */
  readonly digest: string;
  readonly durationMs: number;
  readonly context: Context;
};

/**
 * What is no decision: a refused request, the use of what is another's, an approval or denial of a rule request, a reload,
 * the daemon's start and stop, records that were lost, records that were removed.
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

/** Something that is no decision; `detail` holds plain members that say more. */
export type EventEntry = {
  readonly kind: EventKind;
  readonly at: Date;
  readonly source: EntrySource;
  readonly container: EntryContainer;
  readonly reason: string | null;
  readonly detail: JsonObject;
};

/** Anything that the decision log keeps. */
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

/** Whether an entry is an audit record: it is synced before the requester gets an answer. */
export function isAudit(entry: Entry): boolean {
  if (entry.kind === "what-if") return false;
  if (entry.kind === "decision") return entry.decision === "block" || entry.logged;
  return entry.kind !== "refusal";
}
