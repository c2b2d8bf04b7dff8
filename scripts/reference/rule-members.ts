// The schema of rule files -> tables of its members.
import { RuleFileSchema } from "../../src/wire/rule-file.ts";
import { fail } from "../failure.ts";
import { code, table, words } from "./markdown.ts";
import { membersOf, typeText } from "./members.ts";
import { plainSchema, type SchemaNode } from "./schema.ts";

/** The members at the top of a file. */
export function fileTable(): string {
  const { version = {}, definitions, rules } = plainSchema(RuleFileSchema, {}).properties ?? {};
  const [map] = definitions?.anyOf ?? [];
  const names = `${map?.description ?? ""} A name is ${map?.patternErrorMessage ?? ""}.`;
  return table(["Member", "Type", "Required", "Meaning"], [
    [code("version"), typeText(version), "yes", version.description ?? ""],
    [code("definitions"), "map of strings, or null", "", names],
    [code("rules"), "list of rules, or null", "", rules?.description ?? ""],
  ]);
}

/** The members of a rule. */
export function ruleTable(): string {
  const variants = variantsOf(plainSchema(RuleFileSchema, {}).properties?.["rules"]);
  const names = [...new Set(variants.flatMap((each) => Object.keys(each.properties ?? {})))];
  const rows = names.flatMap((name) => {
    const having = variants.filter(({ properties }) => properties?.[name] !== undefined);
    const [first] = having.map(({ properties }) => properties?.[name]);
    if (first === undefined) return [];
    if (name === "action") return [actionRow(variants)];
    const isRequired = having.every(({ required }) => required?.includes(name) === true);
    const only = having.length === variants.length ? "" : ` Only with the action ${words(having.map(actionOf))}.`;
    const inner = membersOf(first, {}, `${name}.`).map((each) => {
      const node = first.properties?.[each.name.slice(name.length + 1)];
      return [code(each.name), each.type, each.isRequired ? "yes" : each.default, `${each.meaning}${limitText(node)}`];
    });
    const given = isRequired ? "yes" : first.default === undefined ? "" : code(JSON.stringify(first.default));
    return [[code(name), typeText(first), given, `${first.description ?? ""}${limitText(first)}${only}`], ...inner];
  });
  return table(["Member", "Type", "Required, or default", "Meaning"], rows);
}

function variantsOf(rules: SchemaNode | undefined): readonly SchemaNode[] {
  const list = rules?.anyOf?.find(({ type }) => type === "array");
  return list?.items?.anyOf ?? fail("rules are no list of variants");
}

function actionRow(variants: readonly SchemaNode[]): string[] {
  const meaning =
    "What the rule does if its condition is true. `enrich` runs the rule's hook, and evaluation continues with the next rule.";
  return [code("action"), words(variants.map(actionOf)), "yes", meaning];
}

function actionOf({ properties }: SchemaNode): string {
  return typeText(properties?.["action"] ?? {});
}

function limitText(node: SchemaNode | undefined): string {
  const text = node?.patternErrorMessage;
  return text === undefined ? "" : ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
