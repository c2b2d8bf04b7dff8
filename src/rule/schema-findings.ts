// Turns the schema errors of a rule file into findings: each with its place, its code, and a message and hint for the author of
// the file.
import { pointerParts } from "../core/json-pointer.ts";
import type { Finding } from "../core/finding.ts";
import { didYouMean } from "../core/nearest.ts";
import type { ProblemCode } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { type Place, placeAt } from "../core/span.ts";
import type { Schema } from "../wire/decode.ts";
import { ActionlessRuleSchema, RuleFileSchema } from "../wire/rule-file.ts";
import { type ShapeError, shapeErrors } from "../wire/shape-errors.ts";
import { FINDINGS_LIMIT } from "../yaml/compose.ts";
import { actionHint, booleanHint, memberHint, MISSING_HINTS, shapeHint } from "./schema-slips.ts";
import { FOUND_LENGTH, foundText } from "../yaml/found-text.ts";
import type { YamlMember, YamlNode } from "../yaml/node.ts";

/** The findings of the schema, at most one for each path, and at most one more than the limit. */
export function schemaFindings(root: YamlNode, file: string): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const error of shapeErrors(RuleFileSchema, root.value, ruleVariant)) {
    if (seen.has(error.path)) continue;
    seen.add(error.path);
    findings.push(describe(error, root, file));
    if (findings.length > FINDINGS_LIMIT) return findings;
  }
  return findings;
}

// The action tells which kind of rule is meant.
function ruleVariant(variants: readonly Schema[], value: unknown): Schema {
  const action = isObject(value) && "action" in value ? value.action : undefined;
  return variants.find((variant) => variant["properties"]?.action?.const === action) ?? ActionlessRuleSchema;
}

function describe(error: ShapeError, root: YamlNode, file: string): Finding {
  const path = pointerParts(error.path);
  const found = find(root, path);
  const rule = found.rule?.kind === "map" ? found.rule.members.get("id")?.node.value : undefined;
  return {
    code: codeOf(path),
    severity: "error",
    place: placeOf(error, path, found, file),
    ...(typeof rule === "string" ? { rule } : {}),
    ...words(error, path, found),
  };
}

/** The nodes at a path: the collection that contains it, the member if it exists, and the rule that contains it. */
type Found = { readonly owner: YamlNode; readonly member: YamlMember | undefined; readonly rule: YamlNode | undefined };

function find(root: YamlNode, path: readonly string[]): Found {
  let owner = root;
  let member: YamlMember | undefined = { place: root.place, node: root };
  let rule: YamlNode | undefined;
  path.forEach((part, depth) => {
    if (member !== undefined) owner = member.node;
    member = memberOf(owner, part);
    if (depth === 1 && path[0] === "rules") rule = member?.node;
  });
  return { owner, member, rule };
}

function memberOf(owner: YamlNode, part: string): YamlMember | undefined {
  if (owner.kind === "map") return owner.members.get(part);
  const item = owner.kind === "list" ? owner.items[Number(part)] : undefined;
  return item === undefined ? undefined : { place: item.place, node: item };
}

function codeOf(path: readonly string[]): ProblemCode {
  if (path[0] === "version") return "rule.version";
  const isEgress = path[0] === "rules" && path[2] === "egress" && path[3] !== "addresses";
  return isEgress ? "rule.unsupported" : "rule.schema";
}

function placeOf(error: ShapeError, path: readonly string[], { owner, member }: Found, file: string): Place {
  if (path.length === 0) return lineOf(owner.place);
  if (member === undefined) return path[0] === "version" ? placeAt(file) : lineOf(owner.place);
  return error.kind === "unknown-member" ? member.place : member.node.place;
}

/** A finding about a whole structure is placed at its start. */
function lineOf(place: Place): Place {
  return placeAt(place.file, place.line, place.column);
}

type Words = { readonly message: string; readonly hint?: string };

function words(error: ShapeError, path: readonly string[], { member }: Found): Words {
  const name = nameOf(path);
  if (member === undefined) return missingMember(path);
  if (error.kind === "unknown-member") return unknownMember(error, path);
  if (error.kind === "pattern") {
    const wanted = String(error.schema["patternErrorMessage"]);
    return { message: `${name} must be ${wanted}, found ${foundText(member.node)}` };
  }
  if (member.node.kind === "map" && error.schema["type"] === "object") {
    const known = Object.keys(error.schema["properties"]).map((each) => quote(each));
    return { message: `${name} has no member`, hint: `give ${known.join(" or ")}` };
  }
  const message = `${name} must be ${wantedText(error.schema)}, found ${foundText(member.node)}`;
  const hint = hintOf(error.schema, path, member.node) ?? shapeHint(path);
  return hint === undefined ? { message } : { message, hint };
}

function missingMember(path: readonly string[]): Words {
  const message = `missing member ${quote(path.at(-1) ?? "")}${ofOwner(path)}`;
  if (path[0] === "version") return { message, hint: 'begin the file with version: "1"' };
  if (path[0] !== "rules" || path.length !== 3) return { message };
  const hint = MISSING_HINTS[path[2] ?? ""];
  return hint === undefined ? { message } : { message, hint };
}

function unknownMember(error: ShapeError, path: readonly string[]): Words {
  const name = path.at(-1) ?? "";
  if (path[0] === "definitions") {
    return { message: `the name of a definition must be ${error.schema["patternErrorMessage"]}, found ${quote(name)}` };
  }
  const properties: unknown = error.schema["properties"];
  const known = isObject(properties) ? Object.keys(properties) : [];
  if (path.length === 3 && name in ActionlessRuleSchema.properties) {
    const action = String(error.schema["properties"].action.const);
    return { message: `a rule of action ${quote(action)} cannot have the member ${quote(name)}` };
  }
  const hint = memberHint(name, known) ?? didYouMean(name, known) ?? `known are ${known.join(", ")}`;
  return { message: `unknown member ${quote(name)}${ofOwner(path)}`, hint };
}

function nameOf(path: readonly string[]): string {
  if (path.length === 0) return "a rule file";
  if (path[0] === "rules" && path.length === 2) return "a rule";
  const name = escapeText(path.at(-1) ?? "", FOUND_LENGTH);
  if (isEntry(path)) return `an entry of ${nameOf(path.slice(0, -1))}`;
  return path[0] === "definitions" && path.length === 2 ? `definition ${name}` : name;
}

function ofOwner(path: readonly string[]): string {
  return ` of ${nameOf(path.slice(0, -1))}`;
}

function wantedText(schema: Schema): string {
  if (typeof schema["const"] === "string") return `the string ${quote(schema["const"])}`;
  const choices = choicesOf(schema);
  if (choices.length > 0) return `one of ${choices.map((choice) => quote(choice)).join(", ")}`;
  switch (schema["type"]) {
    case "boolean":
      return "true or false";
    case "integer":
      return `an integer from ${schema["minimum"]} to ${schema["maximum"]}`;
    case "array":
      return schema["minItems"] === undefined ? "a list" : "a list that is not empty";
    case "object":
      return "a map";
    default:
      return "a string";
  }
}

function hintOf(schema: Schema, path: readonly string[], node: YamlNode): string | undefined {
  if (node.kind !== "scalar" || node.value === null) return undefined;
  const { text } = node;
  if (typeof node.value === "string") {
    if (schema["type"] === "boolean") return booleanHint(text);
    return actionHint(text, choicesOf(schema)) ?? didYouMean(text, choicesOf(schema));
  }
  if (schema["type"] !== "string") return undefined;
  const meant = typeof schema["const"] === "string" ? schema["const"] : text;
  const member = isEntry(path) ? "" : `${escapeText(path.at(-1) ?? "", FOUND_LENGTH)}: `;
  return `quote it: ${member}${quote(meant, FOUND_LENGTH)}`;
}

// Lists within a rule hold plain values; no member of a rule is named by digits.
function isEntry(path: readonly string[]): boolean {
  return path[0] === "rules" && path.length > 3 && /^[0-9]+$/.test(path.at(-1) ?? "");
}

/** The choices of a union of literals. */
function choicesOf(schema: Schema): readonly string[] {
  const variants: readonly Schema[] = schema["anyOf"] ?? [];
  return variants.map((variant) => String(variant["const"]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
