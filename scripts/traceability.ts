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
    return `## ${title}\n\n${head}| Id | What | Shown by |\n|---|---|---|\n${rows.join("")}`;
  });
  return `${HEAD}\n${tables.join("\n")}`;
}

const HEAD = `# From requirement to test

The product is specified by ids: of the rule engine (S003) and of the agent API (S004). This page names, for each id, the tests
that show it. Read it to find where a promise is kept, and to see what a change may break.

- \`bun run traceability\` makes this page from \`test/requirements.yaml\` and from the titles of the tests. A test that has an id in
  its title shows that id.
- A test is named \`file: title\`. The file lies below \`test/\`; the title is that of a test, of a group of tests, of a case
  (\`.yaml\`) or of a heading in a script of commands (\`.txt\`). \`...\` stands for text that the test fills in when it runs.
- User stories and some success criteria name other ids of this page: the ids that they lead to.
- Every acceptance scenario (AS) and edge case (EC) has a test of its name in \`test/e2e\`, on the built programs.
- FR are functional requirements, IF interfaces, SC success criteria; a letter behind an id is a part of it.

\`test/architecture/traceability.test.ts\` fails when this page is out of date, when an id has no row, when a row names a test that
does not exist, and when a scenario or edge case has no test of its name.
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
