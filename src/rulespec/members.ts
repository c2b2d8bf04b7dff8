// Reads members of YAML maps with the types that a rulespec needs, and collects the findings.
import type { Finding, Severity } from "../core/finding.ts";
import { didYouMean } from "../core/nearest.ts";
import type { ProblemCode } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { type Place, placeAt } from "../core/span.ts";
import { FINDINGS_LIMIT } from "../yaml/compose.ts";
import { foundText } from "../yaml/found-text.ts";
import type { YamlMap, YamlNode, YamlScalar } from "../yaml/node.ts";
import { isBlank } from "./blank.ts";

/** A finding without its severity. */
export type Wrong = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly place: Place;
  readonly hint?: string | undefined;
};

/** The findings of one file, in the order in which the file is read. */
export class Members {
  readonly findings: Finding[] = [];

  /** Keeps a finding. Findings beyond a limit are dropped. */
  report({ hint, ...wrong }: Wrong, severity: Severity = "error"): void {
    if (this.findings.length > FINDINGS_LIMIT) return;
    this.findings.push({ ...wrong, severity, ...(hint === undefined ? {} : { hint }) });
  }

  /** The node as a map, or a finding. */
  map(node: YamlNode, what: string): YamlMap | undefined {
    if (node.kind === "map") return node;
    this.#wrongType(node, `${what} must be a map`);
    return undefined;
  }

  /** The items of a list member. An absent or null member has no items. */
  items(owner: YamlMap, name: string): readonly YamlNode[] {
    const node = this.optional(owner, name);
    if (node === undefined) return [];
    if (node.kind === "list") return node.items;
    this.#wrongType(node, `${name} must be a list`);
    return [];
  }

  /** An optional member. Null means the same as absent. */
  optional(owner: YamlMap, name: string): YamlNode | undefined {
    const node = owner.members.get(name)?.node;
    return node?.kind === "scalar" && node.value === null ? undefined : node;
  }

  /** A required member that must be a non-empty string. */
  text(
    owner: YamlMap,
    name: string,
    what: string,
    hint?: string,
  ): (YamlScalar & { readonly value: string }) | undefined {
    const node = owner.members.get(name)?.node;
    if (node === undefined) {
      const message = `missing member ${quote(name)} of ${what}`;
      this.report({ code: "rulespec.schema", message, place: startOf(owner), hint });
      return undefined;
    }
    return this.string(node, `${name} of ${what}`);
  }

  /** The node as a non-empty string, or a finding. */
  string(node: YamlNode, what: string): (YamlScalar & { readonly value: string }) | undefined {
    if (node.kind !== "scalar" || typeof node.value !== "string") {
      const isQuotable = node.kind === "scalar" && node.value !== null;
      this.#wrongType(node, `${what} must be a string`, isQuotable ? `quote it: ${quote(node.text)}` : undefined);
      return undefined;
    }
    const { value } = node;
    if (!isBlank(value)) return { ...node, value };
    this.report({ code: "rulespec.schema", message: `${what} is empty`, place: node.place });
    return undefined;
  }

  /** Refuses members that are not among the known ones. */
  refuseUnknown(owner: YamlMap, known: readonly string[], what: string): void {
    for (const [name, { place }] of owner.members) {
      if (known.includes(name)) continue;
      const hint = didYouMean(name, known) ?? `known are ${known.join(", ")}`;
      this.report({ code: "rulespec.schema", message: `unknown member ${quote(name)} of ${what}`, place, hint });
    }
  }

  #wrongType(node: YamlNode, message: string, hint?: string): void {
    this.report({
      code: "rulespec.schema",
      message: `${message}, found ${foundText(node)}`,
      place: startOf(node),
      hint,
    });
  }
}

/** The place of a scalar, or the start of a map or list. */
export function startOf({ kind, place }: YamlNode): Place {
  return kind === "scalar" ? place : placeAt(place.file, place.line, place.column);
}
