// The JSON form of a lint report: `outcall lint --json` prints it and `outcall schema lint` describes it.
import { type Static, Type } from "@sinclair/typebox";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);
const position = Type.Integer({ minimum: 1 });

/** One finding; lines and columns are 1-based, columns in UTF-16 code units, the end column excluded. */
export const LintFinding = Type.Object({
  code: Type.String(),
  severity: Type.Union([Type.Literal("error"), Type.Literal("warning"), Type.Literal("note")]),
  file: Type.String(),
  line: position,
  column: position,
  endLine: position,
  endColumn: position,
  rule: nullableText,
  message: Type.String(),
  hint: nullableText,
}, closed);

/** One finding as JSON. */
export type LintFinding = Static<typeof LintFinding>;

/** The whole report. */
export const LintOutput = Type.Object({
  version: Type.Literal(1),
  files: Type.Integer({ minimum: 0 }),
  rules: Type.Integer({ minimum: 0 }),
  findings: Type.Array(LintFinding),
}, closed);

/** The whole report as JSON. */
export type LintOutput = Static<typeof LintOutput>;
