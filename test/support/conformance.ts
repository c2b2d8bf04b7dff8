// Conformance cases of rule files: reads them, writes them out as rules directories, and compares the results of an
// evaluator and a loader. The engine's tests and the built program's tests share it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parse } from "yaml";
import { ContextSchema } from "../../src/wire/context-schema.ts";

const closed = { additionalProperties: false };
const texts = Type.Record(Type.String(), Type.String());
const nullableText = Type.Union([Type.String(), Type.Null()]);

const RequestCase = Type.Object({
  context: ContextSchema,
  decision: Type.Union([Type.Literal("allow"), Type.Literal("block")]),
  rule: nullableText,
  file: nullableText,
  logged: Type.Optional(Type.Boolean()),
  /** The expected number of warnings during the decision. */
  warnings: Type.Optional(Type.Integer()),
}, closed);

const FindingCase = Type.Object({
  code: Type.String(),
  file: Type.Optional(Type.String()),
  line: Type.Optional(Type.Integer()),
  column: Type.Optional(Type.Integer()),
  rule: Type.Optional(Type.String()),
}, closed);

const RuleCaseSchema = Type.Object({
  note: Type.String(),
  files: texts,
  scripts: Type.Optional(texts),
  requests: Type.Optional(Type.Array(RequestCase)),
  load: Type.Optional(Type.Object({
    error: Type.Optional(Type.Array(FindingCase)),
    warning: Type.Optional(Type.Array(FindingCase)),
  }, closed)),
}, closed);

/** A rules directory, with requests and their expected decisions, or with the expected findings of loading it. */
export type RuleCase = Static<typeof RuleCaseSchema>;

/** A request and its expected decision. */
type RequestCase = Static<typeof RequestCase>;

/** An expected finding; members that are not given may have any value. */
type FindingCase = Static<typeof FindingCase>;

const DIRECTORY = join(import.meta.dir, "..", "conformance");

/** The case files: those of the specification, the project's own, and those that random tests found. */
export const CASE_FILES: readonly string[] = readdirSync(DIRECTORY).filter((name) => name.endsWith(".yaml"))
  .sort();

/** The cases of a file; a malformed case is an error. */
export function readCases(name: string): readonly RuleCase[] {
  const cases: unknown = parse(readFileSync(join(DIRECTORY, name), "utf8"));
  return Value.Decode(Type.Array(RuleCaseSchema), cases);
}

/** The cases of the specification. */
export function sharedCases(): readonly RuleCase[] {
  return readCases("rule-engine.yaml");
}

/** Writes the rules directory of a case, with executable scripts. The caller must remove it. */
export function writeRulesDirectory({ files, scripts = {} }: Pick<RuleCase, "files" | "scripts">): string {
  const dir = mkdtempSync(join(tmpdir(), "rules-"));
  for (const [name, text] of Object.entries(files)) write(dir, name, text, 0o644);
  for (const [name, text] of Object.entries(scripts)) write(dir, name, text, 0o755);
  return dir;
}

/** Writes a rules directory for a test and removes it afterwards. */
export async function withRulesDirectory<T>(
  given: Pick<RuleCase, "files" | "scripts">,
  use: (dir: string) => T | Promise<T>,
): Promise<T> {
  const dir = writeRulesDirectory(given);
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function write(dir: string, name: string, text: string, mode: number): void {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, text, { mode });
}

/** A finding as the engine or the program reports it. */
export type FoundPlace = {
  readonly code: string;
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string | null;
};

/** The findings of a severity. */
export function ofSeverity(found: readonly FoundPlace[], severity: string): readonly FoundPlace[] {
  return found.filter((each) => each.severity === severity);
}
