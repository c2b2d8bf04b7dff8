// Bytes of a rulespec or envelope -> bounded YAML tree, with the limits of rule files. It also refuses values that the two
// evaluations could read differently, such as inexact whole numbers, and counts a value each time that an alias repeats it.
import type { Finding } from "../core/finding.ts";
import type { ProblemCode } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { composeYaml, FINDINGS_LIMIT } from "../yaml/compose.ts";
import type { YamlNode } from "../yaml/node.ts";
import { scanYaml, type YamlLimits } from "../yaml/scan-yaml.ts";
import { placesOf } from "../yaml/text-places.ts";
import { readYamlText } from "../yaml/read-text.ts";

/** The limits of a text. */
export type TextLimits = YamlLimits & {
  readonly sizeBytes: number;
  /** Most values. A value counts each time that an alias repeats it. */
  readonly nodes: number;
};

const STRUCTURE = { depth: 32, anchors: 32 } as const;

/** The limits of an operator's file: the same ratio of tokens to bytes as a rule file. */
export const OPERATOR_TEXT: TextLimits = {
  ...STRUCTURE,
  sizeBytes: 16 * 1024 * 1024,
  tokens: 2_400_000,
  nodes: 1_200_000,
};

/** The limits of an agent's text. */
export const AGENT_TEXT: TextLimits = { ...STRUCTURE, sizeBytes: 64 * 1024, tokens: 10_000, nodes: 10_000 };

/** The tree of a text, null if it has none. All findings are errors. */
export type ReadYaml = { readonly root: YamlNode | null; readonly findings: readonly Finding[] };

/** Reads a text and reports all errors of its YAML. */
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

// The room `yaml/` reports with the codes of rule files.
function ours(finding: Finding): Finding {
  const code: ProblemCode = finding.code === "rule.limit" ? "rulespec.limit" : "rulespec.yaml";
  return { ...finding, code };
}

type Waiting = { readonly node: YamlNode; readonly depth: number };

// A shared subtree is walked each time that an alias repeats it, so the walk ends at the first limit.
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

// Numbers that rules cannot compare exactly and conditions cannot read.
function wrongNumber(value: unknown): string | undefined {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return undefined;
  if (!Number.isFinite(value)) return "a number that is not finite";
  return Number.isInteger(value) ? "a whole number beyond 2^53-1" : undefined;
}

function finding(code: ProblemCode, message: string, node: YamlNode): Finding {
  return { code, severity: "error", message, place: node.place };
}
