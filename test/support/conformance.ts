// Conformance cases of rule files: read from their files, written out as rules directories, and what an evaluator and a
// loader said held against them. The engine and the built program share it.
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
  /** How many warnings there are on the way. */
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

/** A rules directory with what requests give on it, or with what is found when it is loaded. */
export type RuleCase = Static<typeof RuleCaseSchema>;

/** A request and what it must give. */
type RequestCase = Static<typeof RequestCase>;

/** What must be found; what is left out may be anything. */
type FindingCase = Static<typeof FindingCase>;

const DIRECTORY = join(import.meta.dir, "..", "conformance");

/** The files of cases: the specification's, the project's own, and what random tests have found. */
export const CASE_FILES: readonly string[] = readdirSync(DIRECTORY).filter((name) => name.endsWith(".yaml"))
  .sort();

/** The cases of a file; a malformed one is an error. */
export function readCases(name: string): readonly RuleCase[] {
  const cases: unknown = parse(readFileSync(join(DIRECTORY, name), "utf8"));
  return Value.Decode(Type.Array(RuleCaseSchema), cases);
}

/** The cases of the specification. */
export function sharedCases(): readonly RuleCase[] {
  return readCases("rule-engine.yaml");
}

/** Writes the rules directory of a case, with its scripts executable; the caller removes it. */
export function writeRulesDirectory({ files, scripts = {} }: Pick<RuleCase, "files" | "scripts">): string {
  const dir = mkdtempSync(join(tmpdir(), "rules-"));
  for (const [name, text] of Object.entries(files)) write(dir, name, text, 0o644);
  for (const [name, text] of Object.entries(scripts)) write(dir, name, text, 0o755);
  return dir;
}

/** Gives a rules directory to a test and removes it afterwards. */
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
