// Findings about values that the schema of a rule file cannot express: a day that does not exist, a text that is not an
// address. Only texts that fit the schema are checked, so that nothing is reported twice.
import { parseDialledAddress } from "../core/dialled-address.ts";
import type { Finding } from "../core/finding.ts";
import { DIALLED_ADDRESS_FORMS, EgressAddressSchema, EXPIRES_FORM, ExpiresSchema } from "../wire/rule-file.ts";
import type { Schema } from "../wire/decode.ts";
import { hasShape } from "../wire/shape-errors.ts";
import { foundText } from "../yaml/found-text.ts";
import type { YamlMap, YamlNode } from "../yaml/node.ts";
import { expiryOf } from "./expires.ts";

/** The findings of all rules of a file. */
export function valueFindings(root: YamlMap): readonly Finding[] {
  const rules = root.members.get("rules")?.node;
  return rules?.kind === "list" ? rules.items.flatMap((rule) => (rule.kind === "map" ? ofRule(rule) : [])) : [];
}

function ofRule(rule: YamlMap): readonly Finding[] {
  const { value: id } = rule.members.get("id")?.node ?? { value: null };
  const refuse = (node: YamlNode, name: string, wanted: string): Finding => ({
    code: "rule.schema",
    severity: "error",
    message: `${name} must be ${wanted}, found ${foundText(node)}`,
    place: node.place,
    ...(typeof id === "string" ? { rule: id } : {}),
  });
  const expires = rule.members.get("expires")?.node;
  const egress = rule.members.get("egress")?.node;
  const addresses = egress?.kind === "map" ? egress.members.get("addresses")?.node : undefined;
  return [
    ...(isWrong(expires, ExpiresSchema, (text) => expiryOf(text) !== null)
      ? [refuse(expires, "expires", EXPIRES_FORM)]
      : []),
    ...(addresses?.kind === "list" ? addresses.items : []).flatMap((item) => {
      const wrong = isWrong(item, EgressAddressSchema, (text) => parseDialledAddress(text) !== null);
      return wrong ? [refuse(item, "an entry of addresses", DIALLED_ADDRESS_FORMS)] : [];
    }),
  ];
}

function isWrong(
  node: YamlNode | undefined,
  schema: Schema,
  isRight: (text: string) => boolean,
): node is YamlNode {
  return node?.kind === "scalar" && typeof node.value === "string" && hasShape(schema, node.value) &&
    !isRight(node.value);
}
