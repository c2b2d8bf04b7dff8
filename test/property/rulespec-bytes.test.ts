// Rulespecs, envelopes and programs with random damage: nothing throws, findings have valid places, and both
// evaluations agree on what loads.
import { expect, test } from "bun:test";
import { checkProgram } from "../../src/datalog/check-program.ts";
import { evaluateProgram } from "../../src/datalog/fixed-point.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import type { Finding } from "../../src/core/finding.ts";
import { PROBLEMS } from "../../src/core/problem.ts";
import { parseEnvelope } from "../../src/rulespec/parse-envelope.ts";
import { parseRulespec } from "../../src/rulespec/parse-rulespec.ts";
import { AGENT_TEXT, OPERATOR_TEXT } from "../../src/rulespec/read-yaml.ts";
import { parseStored } from "../../src/rulespec/keep-envelope.ts";
import { AGENT_VERIFY, verify } from "../../src/rulespec/verify-envelope.ts";
import { HOSTILE_TEXTS } from "../support/generate/rulespec.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";
import { verified } from "../support/rulespec/rulespec.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
/** Each case is read twice and usually verified. */
const FILES = Math.max(500, Math.ceil(CASES / 10));
const TIMEOUT_MS = 20_000 + 10 * FILES;

const WORDS: readonly string[] = [
  ..."()[]{}.,:?!-+*/%<>=&|\"'\\$#@`~ \n\t\r\0😀\u2028\ufeff\ud800".split(""),
  ...HOSTILE_TEXTS,
  ...[
    "claims:",
    "predicates:",
    "facts:",
    "verified:",
    "- claim: caps",
    "rule: equals",
    "value: ",
    "when: {",
    "null",
    "~",
  ],
  ...[
    "selector: a[*]",
    "source: memory",
    "&a ",
    "*a",
    "!!str ",
    "<<: ",
    "1e999",
    ".nan",
    "9007199254740993",
    "---\n",
    "[0]",
    "[*]",
  ],
];

function damage(random: Random, text: string): string {
  let damaged = text;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(damaged.length + 1);
    const removed = random.below(3) === 0 ? random.below(12) : random.below(2);
    damaged = damaged.slice(0, at) + (random.below(3) === 0 ? "" : random.pick(WORDS)) + damaged.slice(at + removed);
  }
  return damaged;
}

function bytesOf(random: Random, text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function expectSense(findings: readonly Finding[], file: string): void {
  for (const { code, message, place } of findings) {
    expect(Object.keys(PROBLEMS)).toContain(code);
    expect(message).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u);
    expect(place.file).toBe(file);
    expect(Math.min(place.line, place.column)).toBeGreaterThanOrEqual(1);
  }
}

test(`rulespecs and envelopes take any text (seed ${SEED}, ${FILES} files)`, () => {
  const random = seededRandom(SEED);
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  for (let index = 0; index < FILES; index++) {
    const texts = [
      random.below(2) === 0 ? COMPLETE_RULESPEC : damage(random, COMPLETE_RULESPEC),
      random.below(2) === 0 ? COMPLETE_ENVELOPE : damage(random, COMPLETE_ENVELOPE),
    ].map((text) => random.below(8) === 0 ? bytesOf(random, text) : text);
    const [rulespecText = "", envelopeText = ""] = texts;
    const { rulespec, findings } = parseRulespec("r", rulespecText, random.below(2) === 0 ? OPERATOR_TEXT : AGENT_TEXT);
    expectSense(findings, "r");
    const envelope = parseEnvelope("e", envelopeText, AGENT_TEXT);
    expectSense(envelope.ok ? [] : envelope.error, "e");
    expect(parseStored("e", envelopeText).ok).toBe(false);
    for (const { code } of [...findings, ...(envelope.ok ? [] : envelope.error)]) count(code);
    if (rulespec === null || !envelope.ok) continue;
    const verification = verify(rulespec, envelope.value.facts, AGENT_VERIFY);
    if (!verification.ok) throw new Error(`seed ${SEED}, file ${index}: ${verification.error.message}`);
    count(verification.value.outcome);
  }
  console.log(`rulespec bytes: seed ${SEED}, ${JSON.stringify(Object.fromEntries([...seen].sort()))}`);
  for (const what of ["verified", "failed", "rulespec.yaml", "rulespec.schema", "rulespec.envelope"]) {
    expect(seen.get(what) ?? 0, what).toBeGreaterThan(0);
  }
}, TIMEOUT_MS);

test(`programs take any text (seed ${SEED}, ${FILES} programs)`, () => {
  const random = seededRandom(SEED);
  const { program } = verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE);
  const words = [
    ...'().,:!-_XYN"\\{}/# \n'.split(""),
    "!",
    ":-",
    "!=",
    "_",
    "holds(0)",
    ".decl x(a: number)",
    ".output x",
    "{22}",
  ];
  const seen = new Set<string>();
  for (let index = 0; index < FILES; index++) {
    const at = random.below(program.length);
    const text = program.slice(0, at) + random.pick(words) + program.slice(at + random.below(3));
    const statements = parseProgram(text);
    if (!statements.ok) {
      seen.add(statements.error.code);
      continue;
    }
    const checked = checkProgram(statements.value);
    if (!checked.ok) { for (const { code } of checked.error) seen.add(code); }
    else seen.add(evaluateProgram(checked.value, AGENT_VERIFY.engine).ok ? "runs" : "does not end");
  }
  expect([...seen]).toEqual(expect.arrayContaining(["datalog.program", "datalog.syntax", "runs"]));
  expect([...seen]).not.toContain("does not end");
}, TIMEOUT_MS);
