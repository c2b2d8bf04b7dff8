// Compares the pages of docs/reference with the generator's output, and checks their links.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { REFERENCE } from "../../scripts/reference.ts";
import { referenceFiles } from "../../scripts/reference/documents.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { parseRulespec } from "../../src/rulespec/parse-rulespec.ts";
import { anchor } from "../../scripts/reference/markdown.ts";

const files = referenceFiles();

test("docs/reference has the files of the reference and no other", () => {
  expect(readdirSync(REFERENCE).sort()).toEqual([...files.keys()].sort());
});

test.each([...files.keys()])("%s is as the code says: else run `bun run reference`", (name) => {
  expect(readFileSync(join(REFERENCE, name), "utf8")).toBe(files.get(name) ?? "");
});

test("the same code gives the same bytes", () => {
  expect(referenceFiles()).toEqual(new Map(files));
});

describe("links", () => {
  const pages = [...files].filter(([name]) => name.endsWith(".md"));
  const headings = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchor(heading));

  test.each(pages)("%s", (name, text) => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    const lost = links.filter((link) => {
      const [path = "", place] = link.split("#");
      const target = path === "" ? join(REFERENCE, name) : join(REFERENCE, path);
      if (!existsSync(target)) return true;
      return place !== undefined && !headings(readFileSync(target, "utf8")).includes(place);
    });
    expect(lost).toEqual([]);
    expect(dirname(REFERENCE)).toEndWith("docs");
  });

  test("no page has two headings of one name", () => {
    for (const [name, text] of pages) {
      expect([name, headings(text).length]).toEqual([name, new Set(headings(text)).size]);
    }
  });
});

test("the rule file of rule-language.md loads without a finding, and so does the rulespec of rulespec.md", () => {
  const [, rules = ""] = /```yaml\n(.*?)```/s.exec(files.get("rule-language.md") ?? "") ?? [];
  const { set, findings } = loadRuleFiles([{ name: "a.yaml", text: rules }]);
  expect([set?.rules.length, findings]).toEqual([1, []]);
  const [, rulespec = ""] = /```text\n(.*?)```/s.exec(files.get("rulespec.md") ?? "") ?? [];
  const parsed = parseRulespec("rulespec.yaml", rulespec);
  expect([parsed.rulespec?.predicates.length, parsed.findings]).toEqual([1, []]);
});

test("nothing outside code is taken for a tag or for emphasis", () => {
  for (const [name, text] of files) {
    if (!name.endsWith(".md")) continue;
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(
      /(`+)[\s\S]*?\1|<br>|\*\*?[A-Z]\w*( \w+)?\*\*?/g,
      "",
    );
    expect([name, prose.match(/.{0,30}(?<!\\)[<*].{0,30}/g)]).toEqual([name, null]);
  }
});

test("no table is broken: each row has as many cells as its head", () => {
  for (const [name, text] of files) {
    for (const [table] of text.matchAll(/(?:^\|.*\n)+/gm)) {
      const cells = table.trimEnd().split("\n").map((row) => row.replaceAll("\\|", "").split("|").length);
      expect([name, new Set(cells).size, table.slice(0, 60)]).toEqual([name, 1, table.slice(0, 60)]);
    }
  }
});
