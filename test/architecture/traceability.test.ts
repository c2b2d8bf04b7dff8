// Compares test/traceability.md with the specification and with the tests: each id has a test, and each test exists.
import { describe, expect, test } from "bun:test";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";
import { TRACEABILITY, traceabilityPage } from "../../scripts/traceability.ts";
import { titlesOf } from "./test-titles.ts";
import { idsIn, idsOfSectionEight, nameFaults, readRows, rowFaults, saysNothing } from "./traceability.ts";

const TESTS = join(PROJECT, "test");
const SPECIFICATION = join(PROJECT, "..", "shared");
const SEEDS = ["000_df49e1133ee0ba2c.txt", "003_d740a075768eb264.txt", "004_15ef6a60d425319a.txt"];
/** The number of ids in the specification, for clones that do not have it next to them. */
const IDS = 184;

const page = readFileSync(TRACEABILITY, "utf8");
const rows = readRows(page);

function idsOfSpecification(): readonly string[] {
  if (!existsSync(SPECIFICATION)) return rows.map(({ id }) => id);
  const seeds = SEEDS.map((name) => readFileSync(join(SPECIFICATION, "seeds", name), "utf8"));
  const api = readFileSync(join(SPECIFICATION, "spec", "agent-api.md"), "utf8");
  return [...idsIn(seeds.join("\n")), ...idsOfSectionEight(api)];
}

const seen = new Map<string, readonly string[] | undefined>();

function titlesIn(file: string): readonly string[] | undefined {
  const path = join(TESTS, file);
  if (!seen.has(file)) seen.set(file, existsSync(path) ? titlesOf(path, readFileSync(path, "utf8")) : undefined);
  return seen.get(file);
}

const ids = idsOfSpecification();

test("every id of the specification has a row, and every row names tests that are there", () => {
  expect(new Set(ids).size).toBe(IDS);
  expect(rowFaults(rows, ids, titlesIn)).toEqual([]);
});

test("test/traceability.md is what `bun run traceability` writes", () => {
  expect(page).toBe(traceabilityPage());
});

test("every scenario and edge case has a test of its name in test/e2e, and its row names it", () => {
  const titles = globSync("e2e/*.test.ts", { cwd: TESTS }).flatMap((file) => titlesIn(file) ?? []);
  expect(nameFaults(rows, ids, titles)).toEqual([]);
});

test("no row rests on a title that says nothing", () => {
  expect(rows.flatMap(({ tests }) => tests.filter(saysNothing))).toEqual([]);
});

test("every line of a table is read as a row", () => {
  const lines = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Id |"));
  expect(lines.length).toBe(rows.length);
});

describe("a planted fault is found", () => {
  const TITLES = ["S003-AS-001 first", "second"];
  const find = (file: string) => (file.startsWith("e2e/") ? TITLES : undefined);
  const GOOD = [
    "| S003-US-001 | a story | S003-FR-001, S003-FR-002.a |",
    "| S003-FR-001 | one | `e2e/a.test.ts: second` |",
    "| S003-FR-002.a | two | `e2e/a.test.ts: second`<br>`e2e/b.test.ts: S003-AS-001 first` |",
    "| S003-AS-001 | `three` | `e2e/a.test.ts: S003-AS-001 first` |",
  ];
  const given = idsIn(GOOD.join("\n"));
  const faults = (lines: readonly string[], wanted: readonly string[] = given): readonly string[] => {
    const read = readRows(lines.join("\n"));
    return [...rowFaults(read, wanted, find), ...nameFaults(read, wanted, TITLES)];
  };
  const withRow = (at: number, line: string) => GOOD.with(at, line);

  test("and nothing where there is none", () => expect(faults(GOOD)).toEqual([]));

  const cases: readonly (readonly [note: string, found: readonly string[], ...expected: string[]])[] = [
    ["an id without a row", faults(GOOD, [...given, "S004-FR-001"]), "S004-FR-001: no row"],
    ["a row of no id", faults(GOOD, given.slice(1)), "S003-US-001: no id of the specification"],
    ["two rows of an id", faults([...GOOD, ...GOOD.slice(1, 2)]), "S003-FR-001: two rows"],
    [
      "a file that is not there",
      faults(withRow(1, "| S003-FR-001 | one | `unit/a.test.ts: second` |")),
      "S003-FR-001: no test unit/a.test.ts: second",
    ],
    [
      "a title that is not there, though a part of one",
      faults(withRow(1, "| S003-FR-001 | one | `e2e/a.test.ts: secon` |")),
      "S003-FR-001: no test e2e/a.test.ts: secon",
    ],
    [
      "a cell that is neither",
      faults(withRow(1, "| S003-FR-001 | one | e2e/a.test.ts: second |")),
      "S003-FR-001: neither a test nor ids: e2e/a.test.ts: second",
    ],
    [
      "four tests",
      faults(withRow(1, `| S003-FR-001 | one | ${Array(4).fill("\`e2e/a.test.ts: second\`").join("<br>")} |`)),
      "S003-FR-001: over 3 tests",
    ],
    [
      "a requirement that leads to others",
      faults(withRow(1, "| S003-FR-001 | one | S003-AS-001 |")),
      "S003-US-001: S003-FR-001 has no row of tests",
      "S003-FR-001: names ids and not tests",
    ],
    [
      "a story that leads to an id without a row",
      faults(withRow(0, "| S003-US-001 | a story | S003-FR-009 |")),
      "S003-US-001: S003-FR-009 has no row of tests",
    ],
    [
      "a scenario whose test has another name",
      faults(GOOD.with(3, "| S003-AS-001 | three | `e2e/a.test.ts: second` |")),
      "S003-AS-001: its row has not that test",
    ],
    [
      "an edge case without a test of its name",
      faults([...GOOD, "| S003-EC-001 | four | `e2e/a.test.ts: second` |"], [...given, "S003-EC-001"]),
      "S003-EC-001: no test in test/e2e has a title that begins with it",
      "S003-EC-001: its row has not that test",
    ],
  ];
  for (const [note, found, ...expected] of cases) test(note, () => expect(found).toEqual(expected));

  test("a title that says nothing", () => {
    const titles = ["...", "...: ...", "$note", "%s: $code", "a ..."];
    expect(titles.filter((title) => saysNothing({ file: "a.test.ts", title }))).toEqual(titles.slice(0, 4));
  });

  test("the short form of ids", () => {
    const text = "| EC-001 | before |\n## 8. Edge cases\n| EC-002 | a |\nSC-001 to SC-003: a; SC-004 as above\n";
    expect(idsOfSectionEight(`\n${text}`)).toEqual(
      ["EC-002", "SC-001", "SC-002", "SC-003", "SC-004"].map((id) => `S004-${id}`),
    );
  });
});
