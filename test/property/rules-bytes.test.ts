// Rule files with random damage through the whole loading: it never throws, findings have valid places, and what loads
// can be evaluated.
import { expect, test } from "bun:test";
import { hasErrors } from "../../src/core/finding.ts";
import { PROBLEMS } from "../../src/core/problem.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { type Loaded, loadRuleFiles, type RuleText } from "../../src/rule/load-rules.ts";
import { generateContext } from "../support/generate/context.ts";
import { generateSet, writeFiles } from "../support/generate/rules.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const TIMEOUT_MS = 10_000 + 10 * CASES;
/** Loading a whole set costs far more than other random cases. */
const FILES = Math.max(300, Math.ceil(CASES / 20));

// Words with a meaning in YAML, in CEL, in both or in neither.
const WORDS: readonly string[] = [
  ..."()[]{}.,:?!-+*/%<>=&|\"'\\$#@`~ \n\t\r\0😀\u2028\ufeff".split(""),
  ...["&&", "||", "==", "//", '"""', "r'", 'b"', "in", "has(", ".map(x, ", ".exists(", "size(", '.matches("(")'],
  ...["$gh", "$nope", "${", "true", "null", "0x", "1e999", "9223372036854775808", "-9223372036854775808", "1u"],
  ...[
    "network.",
    "http.headers",
    "metadata",
    "enriched",
    "version: ",
    "rules:",
    "- id: r0",
    "condition: ",
    "|\n",
    ">-\n",
  ],
  ...[
    "action: enrich",
    "enrich: {script: x}",
    "priority: 1",
    "definitions:",
    "&a ",
    "*a",
    "!!str ",
    "<<: ",
    "\ud800",
    "\u202e",
  ],
];

test(`loadRuleFiles takes any text (seed ${SEED}, ${FILES} files)`, () => {
  const random = seededRandom(SEED);
  const seen = new Set<string>();
  let loadedWhole = 0;
  for (let index = 0; index < FILES; index++) {
    const files = writeFiles(generateSet(random).files, random).map(({ name, text }) => ({
      name,
      text: damage(random, String(text)),
    }));
    const texts: readonly RuleText[] = files.map(({ name, text }) => ({
      name,
      text: random.below(4) === 0 ? bytesOf(random, text) : text,
    }));
    const loaded = loadRuleFiles(texts, { agent: random.below(3) === 0 });
    for (const { code } of loaded.findings) seen.add(code);
    expectSense(loaded, texts);
    if (loaded.set === null) continue;
    loadedWhole++;
    for (let each = 0; each < 3; each++) {
      expect(["allow", "block"]).toContain(evaluateRules(loaded.set, generateContext(random)).decision.decision);
    }
  }
  console.log(`damaged rule files: seed ${SEED}, ${loadedWhole} of ${FILES} load, ${[...seen].sort().join(" ")}`);
  expect(loadedWhole).toBeGreaterThan(0);
  for (const code of ["rule.yaml", "rule.schema", "rule.cel-syntax", "rule.type", "rule.unknown-field"]) {
    expect([...seen]).toContain(code);
  }
}, TIMEOUT_MS);

function damage(random: Random, text: string): string {
  let damaged = text;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(damaged.length + 1);
    const from = random.below(damaged.length + 1);
    const insert = random.pick([
      "",
      random.pick(WORDS),
      random.pick(WORDS),
      damaged.slice(from, from + random.below(40)),
    ]);
    damaged = damaged.slice(0, at) + insert + damaged.slice(at + random.pick([0, 0, 0, 1, 5]));
  }
  return damaged;
}

function bytesOf(random: Random, text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function expectSense({ set, findings }: Loaded, texts: readonly RuleText[]): void {
  expect(set === null).toBe(hasErrors(findings));
  for (const { code, message, hint = "", place } of findings) {
    const source = texts.find(({ name }) => name === place.file)?.text;
    expect(source, `${place.file} is one of the files`).toBeDefined();
    const text = typeof source === "string" ? source : new TextDecoder().decode(source);
    const lines = text.split("\n");
    const isThere = place.line >= 1 && place.column >= 1 && place.endLine >= place.line &&
      place.endLine <= lines.length &&
      // A finding about something missing at the end of the text is one character after the end.
      place.endColumn <= (lines[place.endLine - 1]?.length ?? 0) + 2;
    const isLine = message !== "" && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(message + hint);
    expect({ code, place, message, isThere, isLine, isKnown: code in PROBLEMS, text })
      .toEqual({ code, place, message, isThere: true, isLine: true, isKnown: true, text });
  }
}
