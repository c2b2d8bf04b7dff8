// Text of an envelope -> its facts. Other members are dropped or refused.
import type { Finding } from "../core/finding.ts";
import { compareFindings } from "../core/finding.ts";
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { foundText } from "../yaml/found-text.ts";
import type { YamlNode, YamlObject, YamlValue } from "../yaml/node.ts";
import { Members, startOf } from "./members.ts";
import { readYaml, type TextLimits } from "./read-yaml.ts";

/** The member that holds the facts. */
const FACTS = "facts";

/** The member that only the product writes. It is dropped from incoming envelopes. */
export const VERIFIED = "verified";

/** An agent's envelope: facts about its work, as the agent states them. */
export type Envelope = { readonly facts: YamlObject };

/** A stored envelope: with the member that only the product writes, or null if it is missing. */
export type KeptEnvelope = Envelope & { readonly verified: YamlValue };

/** Parses an incoming envelope, or returns all findings. `file` is its name in every place. */
export function parseEnvelope(
  file: string,
  source: Uint8Array | string,
  limits: TextLimits,
): Result<Envelope, readonly Finding[]> {
  const kept = parseKeptEnvelope(file, source, limits);
  return kept.ok ? ok({ facts: kept.value.facts }) : kept;
}

/** Parses an envelope that the product wrote. */
export function parseKeptEnvelope(
  file: string,
  source: Uint8Array | string,
  limits: TextLimits,
): Result<KeptEnvelope, readonly Finding[]> {
  const { root, findings } = readYaml(file, source, limits);
  if (root === null) return err(findings);
  const members = new Members();
  const facts = readFacts(root, members);
  const all = [...findings, ...members.findings].toSorted(compareFindings);
  if (facts === undefined || all.length > 0) return err(all);
  const verified = root.kind === "map" ? root.members.get(VERIFIED)?.node.value : null;
  return ok({ facts, verified: verified ?? null });
}

function readFacts(root: YamlNode, members: Members): YamlObject | undefined {
  const code = "rulespec.envelope";
  const wrapper = `an envelope is one member ${quote(FACTS)} with all facts below it`;
  if (root.kind !== "map") {
    members.report({
      code,
      message: `an envelope must be a map, found ${foundText(root)}`,
      place: startOf(root),
      hint: wrapper,
    });
    return undefined;
  }
  const facts = root.members.get(FACTS);
  if (facts === undefined) {
    members.report({ code, message: `missing member ${quote(FACTS)}`, place: startOf(root), hint: wrapper });
  }
  for (const [name, { place }] of root.members) {
    if (name === FACTS || name === VERIFIED) continue;
    const slip = facts === undefined ? didYouMean(name, [FACTS]) : undefined;
    const message = `unknown member ${quote(name)} of an envelope: was the ${quote(`${FACTS}:`)} wrapper forgotten?`;
    members.report({ code, message, place, hint: slip ?? wrapper });
  }
  if (facts === undefined) return undefined;
  const { node } = facts;
  if (node.kind === "map" && node.members.size > 0) return node.value;
  const found = node.kind === "map" ? "an empty map" : foundText(node);
  members.report({
    code,
    message: `facts must be a map with members, found ${found}`,
    place: startOf(node),
    hint: wrapper,
  });
  return undefined;
}
