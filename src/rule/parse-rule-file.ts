// Parses a rule file into a document, and reports all problems of its YAML and its shape at once. The document contains every
// usable part, so that later steps can report their problems too. A rule set is only made if there are no errors.
import { compareFindings, type Finding } from "../core/finding.ts";
import { invariant } from "../core/invariant.ts";
import { placeAt } from "../core/span.ts";
import { hasShape } from "../wire/shape-errors.ts";
import { DefinitionsSchema, type RuleFileRule, RuleFileSchema, RuleIdSchema, RuleSchema } from "../wire/rule-file.ts";
import { DEFAULT_PRIORITY, type EnrichDocument, type RuleDocument } from "./document.ts";
import {
  type DefinitionData,
  type DocumentData,
  type MisshapenData,
  openDocument,
  type RuleData,
  type TextData,
} from "./document-data.ts";
import { schemaFindings } from "./schema-findings.ts";
import { valueFindings } from "./value-findings.ts";
import { placesOf } from "../yaml/text-places.ts";
import { composeYaml, FINDINGS_LIMIT } from "../yaml/compose.ts";
import type { YamlMap, YamlNode } from "../yaml/node.ts";
import { readSimple } from "../yaml/read-simple.ts";
import { scanYaml, type YamlLimits } from "../yaml/scan-yaml.ts";
import { readYamlText } from "../yaml/read-text.ts";

/** The limits of a rule file. */
export type ParseLimits = YamlLimits & { readonly sizeBytes: number };

/** The limits of a file that an operator wrote (S003-EC-018). */
export const OPERATOR_LIMITS: ParseLimits = { sizeBytes: 2 * 1024 * 1024, tokens: 300_000, depth: 32, anchors: 32 };

/** The limits of a text from an agent: they keep its analysis within 100 ms. */
export const AGENT_LIMITS: ParseLimits = { sizeBytes: 64 * 1024, tokens: 10_000, depth: 32, anchors: 32 };

/** A parsed rule file; `document` is null if the file is not a YAML map. */
export type ParsedFile = { readonly document: RuleDocument | null; readonly findings: readonly Finding[] };

/** A parsed rule file as plain data, which can be sent to another thread. */
export type ParsedData = { readonly document: DocumentData | null; readonly findings: readonly Finding[] };

/** Parses a rule file; `file` is its name in findings, which are sorted by place. */
export function parseRuleFile(file: string, source: Uint8Array | string, limits: ParseLimits): ParsedFile {
  const { document, findings } = parseToData(file, source, limits);
  return { document: document === null ? null : openDocument(document), findings };
}

/** Parses a rule file like `parseRuleFile`, into plain data that a worker can send. */
export function parseToData(file: string, source: Uint8Array | string, limits: ParseLimits): ParsedData {
  const text = readYamlText(file, source, limits.sizeBytes);
  if (!text.ok) return { document: null, findings: [text.error] };
  const simple = readSimple(file, text.value, limits);
  const quick = simple === null ? null : readFaultless(file, simple);
  return quick === null ? parseAny(file, text.value, limits) : { document: quick, findings: [] };
}

// The fast reader does not know all places, so any finding is left to the full parser.
function readFaultless(file: string, root: YamlNode): DocumentData | null {
  if (root.kind !== "map" || !hasShape(RuleFileSchema, root.value)) return null;
  const document = readDocument(file, root);
  return warnings(document, root).length > 0 || valueFindings(root).length > 0 ? null : document;
}

function parseAny(file: string, text: string, limits: ParseLimits): ParsedData {
  const places = placesOf(file, text);
  const scan = scanYaml(text, limits, places);
  if (scan.findings.length > 0) return { document: null, findings: scan.findings };
  const { root, findings } = composeYaml(text, scan.syntax, places);
  if (root === null) return { document: null, findings };
  const errors = [...findings, ...schemaFindings(root, file)];
  if (root.kind !== "map") return { document: null, findings: bounded(errors) };
  const document = readDocument(file, root);
  return { document, findings: bounded([...errors, ...valueFindings(root), ...warnings(document, root)]) };
}

function bounded(findings: readonly Finding[]): readonly Finding[] {
  const sorted = findings.toSorted(compareFindings);
  const next = sorted[FINDINGS_LIMIT];
  if (next === undefined) return sorted;
  const message = `over ${FINDINGS_LIMIT} findings; the others are not shown`;
  return [...sorted.slice(0, FINDINGS_LIMIT), { code: "rule.limit", severity: "error", message, place: next.place }];
}

function readDocument(file: string, root: YamlMap): DocumentData {
  const place = placeAt(file, root.place.line, root.place.column);
  return { file, place, definitions: readDefinitions(root), ...readRules(root) };
}

function warnings(document: DocumentData, root: YamlMap): readonly Finding[] {
  const rules = root.members.get("rules")?.node.value ?? [];
  if (document.definitions.length === 0 || !Array.isArray(rules) || rules.length > 0) return [];
  const message = "the file has definitions and no rules";
  return [{ code: "rule.no-rules", severity: "warning", message, place: document.place }];
}

function readDefinitions(root: YamlMap): readonly DefinitionData[] {
  const node = root.members.get("definitions")?.node;
  if (node?.kind !== "map") return [];
  const definitions: DefinitionData[] = [];
  for (const [name, { place, node: value }] of node.members) {
    const isUsable = value.kind === "scalar" && hasShape(DefinitionsSchema, { [name]: value.value });
    if (isUsable) definitions.push({ name, place, expression: { text: value.text, scalar: value.written() } });
  }
  return definitions;
}

function readRules(root: YamlMap): Pick<DocumentData, "rules" | "misshapen"> {
  const node = root.members.get("rules")?.node;
  const rules: RuleData[] = [];
  const misshapen: MisshapenData[] = [];
  for (const item of node?.kind === "list" ? node.items : []) {
    if (item.kind !== "map") continue;
    const { value } = item;
    if (!item.hasDuplicates && hasShape(RuleSchema, value)) rules.push(readRule(item, value));
    else misshapen.push(readMisshapen(item));
  }
  return { rules, misshapen };
}

function readMisshapen(node: YamlMap): MisshapenData {
  const id = node.members.get("id")?.node;
  const condition = node.members.get("condition")?.node;
  const isText = condition?.kind === "scalar" && typeof condition.value === "string";
  return {
    id: id?.kind === "scalar" && hasShape(RuleIdSchema, id.value) ? id.text : null,
    place: (id ?? node).place,
    condition: isText ? { text: condition.text, scalar: condition.written() } : null,
  };
}

function readRule(node: YamlMap, rule: RuleFileRule): RuleData {
  const priority = node.members.get("priority");
  return {
    id: rule.id,
    place: memberNode(node, "id").place,
    condition: memberText(node, "condition"),
    action: rule.action,
    log: rule.log ?? false,
    description: rule.description ?? null,
    priority: rule.priority ?? DEFAULT_PRIORITY,
    ...(priority === undefined ? {} : { priorityPlace: priority.node.place }),
    reason: rule.reason ?? null,
    egress: rule.action === "allow" ? rule.egress ?? null : null,
    expires: rule.action === "allow" ? rule.expires ?? null : null,
    enrich: rule.action === "enrich" ? readEnrich(node, rule.enrich) : null,
  };
}

function readEnrich(
  rule: YamlMap,
  { script, timeout_ms: timeoutMs }: { readonly script: string; readonly timeout_ms?: number },
): EnrichDocument {
  const enrich = memberNode(rule, "enrich");
  invariant(enrich.kind === "map", "the schema wants a map");
  return { script, place: memberNode(enrich, "script").place, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

function memberNode(node: YamlMap, name: string): YamlNode {
  const member = node.members.get(name);
  invariant(member !== undefined, "the schema requires the member");
  return member.node;
}

function memberText(node: YamlMap, name: string): TextData {
  const member = memberNode(node, name);
  invariant(member.kind === "scalar", "the schema wants a string");
  return { text: member.text, scalar: member.written() };
}
