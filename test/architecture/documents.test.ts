// README.md and docs as a whole: a test runs every block, every link has a target, the index lists every page, and the
// threat model names existing tests.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";
import { anchorsIn, linksIn } from "../support/document/links.ts";
import { isAsSaid, readSession } from "../support/document/session.ts";
import { synopsisFault } from "../support/document/synopsis.ts";
import {
  FENCES,
  fencesIn,
  fencesOf,
  type Kind,
  kindOf,
  PAGES,
  pageText,
  staleForeign,
} from "../support/document/documents.ts";
import { titlesOf } from "./test-titles.ts";

describe("blocks", () => {
  test("each is of a kind that a test runs", () => {
    expect(FENCES.filter((fence) => kindOf(fence) === undefined).map(({ path, line }) => `${path}:${line}`)).toEqual(
      [],
    );
    expect(staleForeign()).toEqual([]);
  });

  // Kinds of blocks that are tested on certain pages only; on other pages, they would not be tested.
  const HOMES: readonly (readonly [kind: Kind, ...pages: readonly string[]])[] = [
    ["requests", "docs/recipes.md"],
    ["rulespec", "docs/ci.md", "docs/rulespec.md"],
    ["envelope", "docs/ci.md", "docs/rulespec.md"],
    ["dockerfile", "docs/shim.md"],
    ["compose", "docs/containers.md"],
    ["workflow", "docs/ci.md"],
    ["gitlab", "docs/ci.md"],
    ["verdict", "docs/shim.md"],
    ["source", "docs/quick-start.md"],
  ];
  test.each(HOMES)("%s: one in each page that is tested for it, and in no other", (kind, ...pages) => {
    const found = fencesOf(kind).map(({ path }) => path);
    expect([...new Set(found)].sort()).toEqual([...pages]);
    if (kind !== "requests") expect(found.length).toBe(pages.length);
  });

  test("a file that a page shows is used by its sessions, its recipes or its pipelines", () => {
    const used = new Set(
      FENCES.filter((fence) => ["session", "requests"].includes(kindOf(fence) ?? "")).map(({ path }) => path),
    );
    expect(fencesOf("file").filter(({ path }) => !used.has(path)).map(({ path, line }) => `${path}:${line}`)).toEqual(
      [],
    );
  });

  test("a block of no kind, and one without an end, are found", () => {
    expect(fencesIn("a.md", "```\nrm -rf /\n```\n").map(kindOf)).toEqual([undefined]);
    expect(fencesIn("a.md", "```sh\nls\n```\n").map(kindOf)).toEqual([undefined]);
    expect(() => fencesIn("a.md", "```yaml\n")).toThrow("a.md:1");
  });

  test("a synopsis names commands and flags that are there", () => {
    const lines = fencesOf("synopsis").flatMap(({ text }) => text.trimEnd().split("\n"));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.map(synopsisFault).filter((fault) => fault !== null)).toEqual([]);
    expect(["outcal lint", "outcall lnt", "outcall lint --srict", "./scripts/no"].map(synopsisFault)).not.toContain(
      null,
    );
  });
});

test("commands in the text are there, with the flags that they are given", () => {
  const spans = PAGES.flatMap((path) =>
    [...pageText(path).replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`((?:outcall|outcalld|outcall-agent) [^`]+)`/g)]
      .map(([, span = ""]) => span.replaceAll("\n", " "))
  );
  expect(spans.length).toBeGreaterThan(20);
  expect(spans.map(synopsisFault).filter((fault) => fault !== null)).toEqual([]);
});

describe("sessions", () => {
  const stepsOf = (text: string) => readSession({ path: "a.md", line: 1, section: "", info: "console", text });

  test("commands with their output, over lines that end in a backslash and texts that they are given", () => {
    expect(stepsOf("$ a \\\n  b\nc\n$ cat >f <<'END'\n$ d\nEND\n$ e\n")).toEqual([
      { line: 2, command: "a \\\n  b", output: "c\n" },
      { line: 5, command: "cat >f <<'END'\n$ d\nEND", output: "" },
      { line: 8, command: "e", output: "" },
    ]);
    expect(() => stepsOf("no command\n")).toThrow("a.md:1");
  });

  test.each<readonly [said: string, output: string, isAsSaid: boolean]>([
    ["", "", true],
    ["", "a\n", false],
    ["a\n", "", false],
    ["a.c\n", "abc\n", false],
    ["a [...]\n", "a b c\n", true],
    ["a [...]\n", "a b\nc\n", false],
    ["...\n", "", true],
    ["a\n...\nd\n", "a\nb\nc\nd\n", true],
    ["a\n...\nd\n", "a\nb\n", false],
    ["a\n...\n", "b\na\n", false],
  ])("%p is %p: %p", (said, output, expected) => expect(isAsSaid(said, output)).toBe(expected));
});

describe("links", () => {
  test("are found outside of blocks, with their anchors, and headings give anchors", () => {
    const text = "# A `b`: c, d\n[x](a.md#b-c) [y](https://a.example/) [z](#x)\n```\n[n](o.md)\n# No\n```\n";
    expect(linksIn(text)).toEqual([{ target: "a.md", anchor: "b-c" }, { target: "", anchor: "x" }]);
    expect([...anchorsIn(text)]).toEqual(["a-b-c-d"]);
  });

  const faults = PAGES.flatMap((path) =>
    linksIn(pageText(path)).flatMap(({ target, anchor }) => {
      const file = target === "" ? join(PROJECT, path) : join(PROJECT, dirname(path), target);
      if (!existsSync(file)) return [`${path}: ${target}: no such file`];
      if (anchor === "" || anchorsIn(readFileSync(file, "utf8")).has(anchor)) return [];
      return [`${path}: ${target}#${anchor}: no such heading`];
    })
  );
  test("each leads to a file, and to a heading where it names one", () => expect(faults).toEqual([]));

  test("the index names every page", () => {
    const named = linksIn(pageText("docs/README.md")).map(({ target }) => `docs/${target}`);
    expect(PAGES.filter((path) => path !== "README.md" && path !== "docs/README.md" && !named.includes(path))).toEqual(
      [],
    );
  });
});

test("every test that the threat model names is there", () => {
  const rows = pageText("docs/threat-model.md").split("\n").flatMap((line) =>
    /^\| .* \| .* \| `([\w./-]+): (.+)` \|$/.exec(line)?.slice(1) ?? []
  );
  const named = rows.flatMap((each, at) => at % 2 === 0 ? [{ file: each, title: rows[at + 1] ?? "" }] : []);
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(({ file, title }) => {
    const path = join(PROJECT, "test", file);
    return !existsSync(path) || !titlesOf(path, readFileSync(path, "utf8")).includes(title);
  });
  expect(missing).toEqual([]);
});
