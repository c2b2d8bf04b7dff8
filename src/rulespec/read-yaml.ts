// Bytes of a rulespec or envelope -> bounded YAML tree: as for rule files (rulespec.md 1), and besides that no value that the
// two evaluations could see differently: whole numbers are exact, and what aliases repeat counts each time.
import type { Finding } from "../core/finding.ts";
import type { ProblemCode } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { composeYaml, FINDINGS_LIMIT } from "../yaml/compose.ts";
import type { YamlNode } from "../yaml/node.ts";
import { scanYaml, type YamlLimits } from "../yaml/scan-yaml.ts";
import { placesOf } from "../yaml/text-places.ts";
import { readYamlText } from "../yaml/read-text.ts";

/** What a text may cost to read. */
export type TextLimits = YamlLimits & {
  readonly sizeBytes: number;
  /** Values, where what an alias repeats counts each time: no more than could be written without aliases. */
  readonly nodes: number;
};

const STRUCTURE = { depth: 32, anchors: 32 } as const;

/** The limits of a file that an operator gives: as many tokens for a byte as a rule file of 2 MiB may have. */
export const OPERATOR_TEXT: TextLimits = {
  ...STRUCTURE,
  sizeBytes: 16 * 1024 * 1024,
  tokens: 2_400_000,
  nodes: 1_200_000,
};

/** The limits of a text from an agent, which is read on the serving thread. */
export const AGENT_TEXT: TextLimits = { ...STRUCTURE, sizeBytes: 64 * 1024, tokens: 10_000, nodes: 10_000 };

/** The tree of a text, null where it cannot be walked; the findings are all errors. */
export type ReadYaml = { readonly root: YamlNode | null; readonly findings: readonly Finding[] };

/** Reads a text, with everything that is wrong with it as YAML. */
export function readYaml(file: string, source: Uint8Array | string, limits: TextLimits): ReadYaml {
  const text = readYamlText(file, source, limits.sizeBytes);
  if (!text.ok) return { root: null, findings: [ours(text.error)] };
  const places = placesOf(file, text.value);
  const scan = scanYaml(text.value, limits, places);
  if (scan.findings.length > 0) return { root: null, findings: scan.findings.map(ours) };
  const { root, findings } = composeYaml(text.value, scan.syntax, places);
  if (root === null) return { root: null, findings: findings.map(ours) };
  const values = checkValues(root, limits);
  const isWalkable = !values.some(({ code }) => code === "rulespec.limit");
  return { root: isWalkable ? root : null, findings: [...findings.map(ours), ...values] };
}

// The room that reads YAML speaks of rule files.
function ours(finding: Finding): Finding {
  const code: ProblemCode = finding.code === "rule.limit" ? "rulespec.limit" : "rulespec.yaml";
  return { ...finding, code };
}

type Waiting = { readonly node: YamlNode; readonly depth: number };

// A tree that aliases make is walked as often as it is shared, so the walk ends at the first limit that it breaks.
function checkValues(root: YamlNode, limits: TextLimits): readonly Finding[] {
  const findings: Finding[] = [];
  const waiting: Waiting[] = [{ node: root, depth: 0 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (++count > limits.nodes) return [finding("rulespec.limit", `over ${limits.nodes} values`, root)];
    if (node.kind === "scalar") {
      const wrong = wrongNumber(node.value);
      if (wrong !== undefined && findings.length < FINDINGS_LIMIT) {
        findings.push(finding("rulespec.value", `${wrong}: ${escapeText(node.text)}`, node));
      }
      continue;
    }
    if (depth >= limits.depth) return [finding("rulespec.limit", `nested over ${limits.depth} levels`, node)];
    const inner = node.kind === "list" ? node.items : [...node.members.values()].map((member) => member.node);
    for (const each of inner.toReversed()) waiting.push({ node: each, depth: depth + 1 });
  }
  return findings;
}

// What no rule could compare by its value, and no condition read.
function wrongNumber(value: unknown): string | undefined {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return undefined;
  if (!Number.isFinite(value)) return "a number that is not finite";
  return Number.isInteger(value) ? "a whole number beyond 2^53-1" : undefined;
}

function finding(code: ProblemCode, message: string, node: YamlNode): Finding {
  return { code, severity: "error", message, place: node.place };
}
