// `bun run traceability`: writes test/traceability.md from the requirements in test/requirements.yaml and the titles of
// the tests.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { titlesOf } from "../test/architecture/test-titles.ts";
import { runMain } from "./failure.ts";
import { PROJECT } from "./project.ts";

const Requirement = Type.Object({
  id: Type.String(),
  what: Type.String(),
  // Other requirements that this one leads to; they replace tests.
  ids: Type.Optional(Type.Array(Type.String())),
  // Tests without the id in their titles, as `file: title`.
  tests: Type.Optional(Type.Array(Type.String())),
}, { additionalProperties: false });

const Groups = Type.Array(Type.Object({
  title: Type.String(),
  note: Type.Optional(Type.String()),
  requirements: Type.Array(Requirement),
}, { additionalProperties: false }));

/** Keeps a row short: it names the tests that show most, not every test on the matter. */
const TESTS_LIMIT = 3;

const TESTS = join(PROJECT, "test");

/** The path of the page. */
export const TRACEABILITY = join(TESTS, "traceability.md");

/** The page's text. */
export function traceabilityPage(): string {
  const groups = Value.Decode(Groups, parse(readFileSync(join(TESTS, "requirements.yaml"), "utf8")));
  const titled = titledTests();
  const tables = groups.map(({ title, note, requirements }) => {
    const rows = requirements.map(({ id, what, ids, tests = [] }) => {
      const shown = ids === undefined
        ? testsOf(id, tests, titled).map((test) => `\`${test}\``).join("<br>")
        : ids.join(", ");
      return `| ${id} | ${what} | ${shown} |\n`;
    });
    const head = note === undefined ? "" : `${note}\n\n`;
    return `## ${title}\n\n${head}| Id | Requirement | Tests |\n|---|---|---|\n${rows.join("")}`;
  });
  return `${HEAD}\n${tables.join("\n")}`;
}

const HEAD = `# From requirement to test

The specification gives each requirement an id: S003 for the rule engine, S004 for the agent API. This page lists, for each id,
the tests that check it. Use it to find the tests of a requirement, or the requirements that a change may affect.

- \`bun run traceability\` generates this page from \`test/requirements.yaml\` and from the titles of the tests. A test with an id
  in its title is a test of that id.
- Tests are written as \`file: title\`. The file is below \`test/\`. The title is that of a test, of a group of tests, of a case
  (\`.yaml\`) or of a heading in a golden script (\`.txt\`). \`...\` stands for a part that is known only when the test runs.
- User stories and some success criteria list the other ids that cover them.
- Every acceptance scenario (AS) and edge case (EC) has a test in \`test/e2e\` whose title starts with the id. It runs the built
  programs.
- FR means functional requirement, IF interface, SC success criterion. A letter after an id means a part of it.

\`test/architecture/traceability.test.ts\` fails if this page is out of date, if an id has no row, if a row names a test that
does not exist, or if a scenario or edge case has no test of its name.
`;

function testsOf(id: string, listed: readonly string[], titled: readonly string[]): readonly string[] {
  const own = titled.filter((test) => new RegExp(`${id.replace(".", "\\.")}(?!\\d|\\.[a-z])`).test(test));
  return [...new Set([...own, ...listed])].slice(0, TESTS_LIMIT);
}

// Tests on the built programs come first.
function titledTests(): readonly string[] {
  const files = globSync("**/*.{test.ts,txt,yaml}", { cwd: TESTS }).filter((file) => !file.startsWith("architecture/"));
  const sorted = files.sort((a, b) => Number(b.startsWith("e2e/")) - Number(a.startsWith("e2e/")) || (a < b ? -1 : 1));
  return sorted.filter((file) => file !== "requirements.yaml").flatMap((file) => {
    const path = join(TESTS, file);
    return titlesOf(path, readFileSync(path, "utf8")).filter((title) => /S00[34]-/.test(title)).map((title) =>
      `${file}: ${title}`
    );
  });
}

if (import.meta.main) {
  await runMain(() => {
    const page = traceabilityPage();
    const isCurrent = existsSync(TRACEABILITY) && readFileSync(TRACEABILITY, "utf8") === page;
    if (!isCurrent) writeFileSync(TRACEABILITY, page);
    console.log(isCurrent ? "test/traceability.md is up to date" : "wrote test/traceability.md");
    return 0;
  });
}
