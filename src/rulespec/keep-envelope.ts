// A stored envelope: the facts, and the result in a member that no agent can write. A stored envelope is not trusted when it is
// read: facts, rulespec, session, time and stamp must still match.
import type { JsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { decode } from "../wire/decode.ts";
import { type PredicateTotals, VerifiedMember } from "../wire/stored-envelope.ts";
import { rulespecData } from "./describe-rulespec.ts";
import { parseKeptEnvelope, VERIFIED } from "./parse-envelope.ts";
import { formatYaml } from "./format-yaml.ts";
import { OPERATOR_TEXT } from "./read-yaml.ts";
import type { Rulespec } from "./rulespec.ts";
import { digestOf, makeStamp, stampHolds } from "./stamp.ts";

/** Facts and the result of their verification. */
export type StoredEnvelope = { readonly facts: JsonObject; readonly verified: VerifiedMember };

/** The data of a verification that are stored. */
export type ToStore = {
  readonly facts: JsonObject;
  readonly outcome: VerifiedMember["outcome"];
  readonly totals: PredicateTotals;
  /** Null if no rulespec loads. */
  readonly rulespec: Rulespec | null;
  readonly session: string;
  readonly name: string;
  readonly at: Date;
  /** The key of the stamp. Without it nothing is stamped. */
  readonly key: Uint8Array | null;
};

/** Makes the stored envelope. Only the outcome `verified` gets a stamp. */
export function toStore({ facts, outcome, totals, rulespec, session, name, at, key }: ToStore): StoredEnvelope {
  const time = at.toISOString();
  const isStamped = outcome === "verified" && rulespec !== null && key !== null;
  const verified: VerifiedMember = {
    outcome,
    totals,
    session,
    name,
    at: time,
    facts: digestOf(facts),
    rulespec: rulespec === null ? null : digestOf(rulespecData(rulespec)),
    stamp: isStamped ? makeStamp(key, { facts, rulespec, session, at: time }) : null,
  };
  return { facts, verified };
}

/** Formats a stored envelope as the text of `envelope.yaml`. */
export function formatStored({ facts, verified }: StoredEnvelope): string {
  return formatYaml({ facts, [VERIFIED]: verified });
}

/** Parses the text of `envelope.yaml`. */
export function parseStored(file: string, source: Uint8Array | string): Result<StoredEnvelope, Problem> {
  const envelope = parseKeptEnvelope(file, source, OPERATOR_TEXT);
  if (!envelope.ok) {
    const [first] = envelope.error;
    return err(
      problem("rulespec.unverified", `${quote(file)} is not an envelope: ${first?.message ?? "nothing in it"}`),
    );
  }
  const { facts, verified: member } = envelope.value;
  if (member === null) return err(problem("rulespec.unverified", `${quote(file)} was never verified`));
  const verified = decode(VerifiedMember, member);
  if (verified.ok) return ok({ facts, verified: verified.value });
  return err(problem("rulespec.unverified", `${quote(file)} was not written by outcall: ${verified.error.message}`));
}

/** The reason why a stored envelope does not count as verified under this rulespec, or null. */
export function whyUnverified(stored: StoredEnvelope, rulespec: Rulespec, key: Uint8Array): Problem | null {
  const { facts, verified } = stored;
  const { outcome, session, at, stamp } = verified;
  const refuse = (message: string) => problem("rulespec.unverified", message);
  if (outcome !== "verified") return refuse(`the newest envelope is not verified: its outcome is ${outcome}`);
  if (stamp === null) return refuse("the newest envelope is verified and has no stamp");
  if (stampHolds(key, stamp, { facts, rulespec, session, at })) return null;
  if (digestOf(facts) !== verified.facts) return refuse("the stamp does not hold: the facts have changed");
  if (digestOf(rulespecData(rulespec)) !== verified.rulespec) {
    return refuse("the stamp does not hold: the rulespec has changed");
  }
  return refuse(`the stamp does not hold for session ${quote(session)} at ${escapeText(at)}`);
}
