// The conformance cases of rulespecs, which the library and the built program share.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { JsonObject } from "../../../src/core/json.ts";

const FILE = join(import.meta.dir, "..", "..", "conformance", "rulespec.json");

const RulespecCase = Type.Object({
  note: Type.String(),
  claims: Type.Array(Type.Object({ name: Type.String(), selector: Type.String() })),
  predicate: Type.Unsafe<JsonObject>(Type.Object({})),
  facts: Type.Unsafe<JsonObject>(Type.Object({})),
  want: Type.Union([Type.Literal("pass"), Type.Literal("fail"), Type.Literal("skip"), Type.Literal("error")]),
}, { additionalProperties: false });

/** One predicate on claims and facts, and what it must give. */
export type RulespecCase = Static<typeof RulespecCase>;

/** Every case; a malformed one is an error. */
export function rulespecCases(): readonly RulespecCase[] {
  const cases: unknown = JSON.parse(readFileSync(FILE, "utf8"));
  return Value.Decode(Type.Array(RulespecCase), cases);
}

/** The text of the cases here, and as they were given; a clone without the specification beside it has nothing to compare with. */
export function rulespecCaseTexts(): { readonly here: string; readonly given: string } {
  const here = readFileSync(FILE, "utf8");
  const folder = process.env["OUTCALL_CONFORMANCE"] ?? join(import.meta.dir, "../../../../shared/conformance");
  const path = join(folder, "rulespec.json");
  return { here, given: existsSync(path) ? readFileSync(path, "utf8") : here };
}
