// The conformance cases of rulespecs, shared by the tests of the library and of the built program.
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

/** A predicate with claims and facts, and its expected result. */
export type RulespecCase = Static<typeof RulespecCase>;

/** Every case; a malformed case is an error. */
export function rulespecCases(): readonly RulespecCase[] {
  const cases: unknown = JSON.parse(readFileSync(FILE, "utf8"));
  return Value.Decode(Type.Array(RulespecCase), cases);
}

/**
 * The text of the project's copy of the cases, and of the original. A clone without the specification next to it has no
 * original to compare with.
 */
export function rulespecCaseTexts(): { readonly here: string; readonly given: string } {
  const here = readFileSync(FILE, "utf8");
  const folder = process.env["OUTCALL_CONFORMANCE"] ?? join(import.meta.dir, "../../../../shared/conformance");
  const path = join(folder, "rulespec.json");
  return { here, given: existsSync(path) ? readFileSync(path, "utf8") : here };
}
