// RuleDocument as plain data, which a worker can send to another thread: texts carry their source instead of functions. The
// receiving thread turns the data back into a document.
import type { DefinitionDocument, MisshapenRule, RuleDocument, RuleEntry } from "./document.ts";
import { type ScalarSource, sourceText } from "../yaml/scalar-place.ts";

/** A text of the file, with its source, from which the places of its characters are computed. */
export type TextData = { readonly text: string; readonly scalar: ScalarSource };

/** A definition as plain data. */
export type DefinitionData = Omit<DefinitionDocument, "expression"> & { readonly expression: TextData };

/** A rule as plain data. */
export type RuleData = Omit<RuleEntry, "condition"> & { readonly condition: TextData };

/** A malformed rule as plain data. */
export type MisshapenData = Omit<MisshapenRule, "condition"> & { readonly condition: TextData | null };

/** A rule file as plain data. */
export type DocumentData = Omit<RuleDocument, "definitions" | "rules" | "misshapen"> & {
  readonly definitions: readonly DefinitionData[];
  readonly rules: readonly RuleData[];
  readonly misshapen: readonly MisshapenData[];
};

/** Turns the data back into a document. */
export function openDocument(data: DocumentData): RuleDocument {
  const definitions = data.definitions.map((definition) => {
    const { text, scalar } = definition.expression;
    return { ...definition, expression: sourceText(text, scalar) };
  });
  const rules = data.rules.map((rule) => {
    const { text, scalar } = rule.condition;
    return { ...rule, condition: sourceText(text, scalar) };
  });
  const misshapen = data.misshapen.map(({ condition, ...rule }) => ({
    ...rule,
    condition: condition === null ? null : sourceText(condition.text, condition.scalar),
  }));
  return { ...data, definitions, rules, misshapen };
}
