// The manual pages contain every command and flag of the tables, and man formats them without a warning.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { manPages } from "../../scripts/man.ts";
import { AGENT_PROGRAM } from "../../src/agent/program.ts";
import { OUTCALL } from "../../src/cli/program.ts";
import { flagsOf, type Program, STANDARD_FLAGS } from "../../src/command/command.ts";
import { nameOf } from "../../src/command/find-command.ts";
import { formatMan } from "../../src/command/man.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";
import { missingProgram, requirement } from "../support/container/container.ts";

const PROGRAMS: readonly (readonly [page: string, program: Program])[] = [
  ["outcall.1", OUTCALL],
  ["outcalld.8", OUTCALLD],
  ["outcall-agent.1", AGENT_PROGRAM],
];

const { label, skip } = requirement("typeset", missingProgram("groff"));

function typeset(text: string) {
  const run = spawnSync("groff", ["-man", "-Tascii", "-ww", "-P-c"], { input: text, encoding: "utf8" });
  return { status: run.status, stderr: run.stderr, text: run.stdout.replaceAll(/.\u0008/g, "") };
}

test("there is a page for each program", () => {
  expect([...manPages().keys()].sort()).toEqual(PROGRAMS.map(([page]) => page).sort());
});

describe.each(PROGRAMS)("%s", (page, program) => {
  const text = manPages().get(page) ?? "";

  test("names every command and flag, and nothing hidden", () => {
    const plain = text.replaceAll("\\-", "-");
    for (const command of program.commands) {
      const words = `${program.name} ${nameOf(command)}`.trimEnd();
      expect(plain.includes(`\n.B ${words}\n`)).toBe(command.hidden !== true);
      for (const flag of flagsOf(program, command)) {
        if (flag.short !== undefined && !Object.hasOwn(STANDARD_FLAGS, flag.name)) {
          expect(plain).toContain(`\n.B -${flag.short}, --${flag.name}`);
        }
        expect(plain).toMatch(new RegExp(`\n\\.B (-., )?--${flag.name}\\b`));
      }
      for (const [line] of command.examples) {
        expect(text).toContain(`\n.B ${line.replaceAll("\\", "\\e").replaceAll("-", "\\-")}\n`);
      }
    }
  });

  test.skipIf(skip)(label, () => {
    const set = typeset(text);
    expect({ status: set.status, stderr: set.stderr }).toEqual({ status: 0, stderr: "" });
    expect(set.text).toContain(`${program.name.toUpperCase()}(`);
    expect(set.text).toContain("SEE ALSO");
  });
});

test.skipIf(skip)("formatMan: text that the typesetter would take for its own is left as it is", () => {
  const flags = { a: { summary: ".br and 'quoted' \\fBbold\\fR -x" }, b: { summary: "'tis" } };
  const program = { name: "p", summary: "p does", flags, commands: [] };
  const page = formatMan(program, { section: 1, version: "1", exits: [], variables: [], files: [], seeAlso: ["q(1)"] });
  const { stderr, text } = typeset(page);
  expect(stderr).toBe("");
  expect(text).toContain(".br and 'quoted' \\fBbold\\fR -x");
  expect(text).toContain("'tis");
});
