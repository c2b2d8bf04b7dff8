// The fast YAML reader gives exactly the result of the YAML library: values, texts, places and scalar styles, except
// for the end of block collections. The inputs are pieces of rule files with random damage; about a third of them stay
// simple enough for the fast reader.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OPERATOR_LIMITS } from "../../src/rule/parse-rule-file.ts";
import { composeYaml } from "../../src/yaml/compose.ts";
import type { YamlNode } from "../../src/yaml/node.ts";
import { readSimple } from "../../src/yaml/read-simple.ts";
import { scanYaml } from "../../src/yaml/scan-yaml.ts";
import { readYamlText } from "../../src/yaml/read-text.ts";
import { placesOf } from "../../src/yaml/text-places.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const TIMEOUT_MS = 600_000;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const EXAMPLES = join(import.meta.dir, "../../examples/rules.d");

const FILES: readonly string[] = [
  ...readdirSync(EXAMPLES).map((name) => readFileSync(join(EXAMPLES, name), "utf8")),
  `version: "1"
definitions:
  api: |-
    $is_github &&
      http.path.startsWith("/api")

    || false
rules:
  - id: "allow-github-api"
    condition: |
      http.method in ["GET", "POST"]

    action: allow
    egress: {mode: proxy}
  # a comment
  - id: no-force-push
    condition: run.tool == "git" && "-f" in run.flags   # more
    action: block
    reason: "no \\"force\\" push"
  - {id: a, condition: 'dns.query == ''x''', action: enrich, enrich: {script: a.sh, timeout_ms: 16}}
  -
    id: d
    priority: 100
list:
- a
- 12
- [x, 'y', "z", {k: v}]
- {}
- []
`,
];

const TOKENS: readonly string[] = [
  ..."\n\t ,:-?[]{}#&*!|>'\"%@`\\~0./$()+=<;^_aZ9\r\u0085\u2028\ufeff\u00a0😀".split(""),
  ..."null true True 1e3 0x1F 0o7 .5 1_000 007 ~ yes = 2001-01-01 10.0.0.1 12:30 - <<:".split(" "),
  ...[
    "\n  ",
    "\n    ",
    "  ",
    "\n\n",
    "\r\n",
    ": ",
    "- ",
    "\n- ",
    "\n  - ",
    "? ",
    "---\n",
    "...\n",
    "\n...",
    "''",
    "\\n",
  ],
  ...["&a ", "*a", "!!str ", "|+1\n", ">-\n", "|\n", "|-\n", " #", "# x\n", "\n# c\n", "   # d\n", "a: b", "a:\n"],
  ...["{a: b}", "[a, b]", "[]", "{}", "k: ", "key:", "- - x", "\n      ", "x: |\n      y\n"],
];

test(`readSimple gives what the library gives, seed ${SEED}`, () => {
  const random = seededRandom(SEED);
  let simple = 0;
  for (const text of FILES) simple += compare(text);
  expect(simple).toBe(FILES.length);
  for (let index = 0; index < CASES; index++) simple += compare(damage(random, part(random)));
  expect(simple).toBeGreaterThan(CASES / 10);
}, TIMEOUT_MS);

// Returns 1 if the text is read without the library.
function compare(source: string): number {
  const text = readYamlText("f", source, OPERATOR_LIMITS.sizeBytes);
  const simple = text.ok ? readSimple("f", text.value, OPERATOR_LIMITS) : null;
  if (!text.ok || simple === null) return 0;
  const places = placesOf("f", text.value);
  const scan = scanYaml(text.value, OPERATOR_LIMITS, places);
  const composed = scan.findings.length > 0 ? null : composeYaml(text.value, scan.syntax, places);
  const found = [...scan.findings, ...(composed?.findings ?? [])];
  const root = composed?.root ?? null;
  const wanted = root === null ? null : JSON.stringify(describe(root));
  expect({ source, found, read: JSON.stringify(describe(simple)) }).toEqual({ source, found: [], read: wanted ?? "" });
  return 1;
}

function describe(node: YamlNode): unknown {
  const { kind, place } = node;
  const { file, line, column } = place;
  switch (kind) {
    case "scalar": {
      const { file: named, style, raw, start, block } = node.written();
      return [kind, place, node.value, node.text, named, style, raw, start, block];
    }
    case "list":
      return [kind, file, line, column, node.items.map(describe), node.value];
    case "map": {
      const members = [...node.members].map(([key, member]) => [key, member.place, describe(member.node)]);
      return [kind, file, line, column, members, Object.entries(node.value), node.hasDuplicates];
    }
  }
}

// Some lines of a file, often with the file's own indentation.
function part(random: Random): string {
  const text = random.pick(FILES);
  if (random.below(2) === 0) return text;
  const lines = text.split("\n");
  const from = random.below(lines.length);
  const some = lines.slice(from, from + 1 + random.below(12));
  const margin = random.below(2) === 0 ? "" : /^ */.exec(some[0] ?? "")?.[0] ?? "";
  const moved = some.map((line) => line.startsWith(margin) ? line.slice(margin.length) : line);
  return moved.join("\n") + (random.below(4) === 0 ? "" : "\n");
}

function damage(random: Random, text: string): string {
  let damaged = text;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(damaged.length + 1);
    const length = random.pick([0, 0, 0, 1, 2, 5, 20]);
    const other = random.pick(FILES);
    const from = random.below(other.length);
    const token = random.pick(TOKENS);
    const insert = random.pick(["", token, token, token, other.slice(from, from + random.below(40))]);
    damaged = damaged.slice(0, at) + insert + damaged.slice(at + length);
  }
  return damaged;
}
