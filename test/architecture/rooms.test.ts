// The import rules of rooms.
import { describe, expect, test } from "bun:test";
import { ENTRIES, GLOBAL_SEAMS, importFaults, PACKAGES, ROOMS, RUNTIME_SEAM } from "./rooms.ts";
import { readSourceFiles, sourceFile } from "./source-files.ts";
import packageFile from "../../package.json" with { type: "json" };

const files = readSourceFiles("src/**/*.ts");

test("every import of src is one that the table allows", () => {
  expect(files.flatMap(importFaults)).toEqual([]);
});

test("no file but two names a global of one runtime", () => {
  const named = files.filter(({ path }) => !GLOBAL_SEAMS.includes(path)).flatMap(({ path, tokens }) =>
    tokens.filter(({ kind, text }) => kind === "word" && (text === "Bun" || text === "Deno"))
      .map(({ text, line }) => `${path}:${line}: ${text}`)
  );
  expect(named).toEqual([]);
});

/** An entry file only starts a main function; longer code belongs in its room. */
const ENTRY_LINES = 15;

test("src has the three entries and nothing else beside its rooms", () => {
  const entries = files.filter(({ path }) => path.split("/").length === 2);
  expect(entries.map(({ path }) => path).sort()).toEqual([...ENTRIES.keys()].sort());
  for (const { path, text } of entries) {
    expect({ path, short: text.trimEnd().split("\n").length <= ENTRY_LINES }).toEqual({ path, short: true });
  }
});

test("a room imports only rooms of a lower rank", () => {
  for (const [name, room] of ROOMS) {
    for (const imported of room.imports) {
      const rank = ROOMS.get(imported)?.rank ?? Infinity;
      expect({ name, imported, lower: rank < room.rank }).toEqual({ name, imported, lower: true });
    }
  }
});

test("a pure room imports only pure rooms", () => {
  for (const [name, room] of ROOMS) {
    if (!room.pure) continue;
    for (const imported of room.imports) {
      expect({ name, imported, pure: ROOMS.get(imported)?.pure }).toEqual({ name, imported, pure: true });
    }
  }
});

test("the map in src/README.md has the same rooms and ranks", () => {
  const [map] = readSourceFiles("src/README.md");
  const rows = [...(map?.text ?? "").matchAll(/^\| (\d) +\| `([a-z]+)\/` /gm)];
  const mapped = rows.map(([, rank, name]) => `${name} ${rank}`).sort();
  expect(mapped).toEqual([...ROOMS].map(([name, { rank }]) => `${name} ${rank}`).sort());
});

/** A line of a flow: file, function or class, result. */
const FLOW_LINE = /^((?:[a-z0-9-]+\/)[a-z0-9-]+\.ts) +([A-Za-z]+) +\S/;

test("every file, function and class that a flow of src/README.md names exists", () => {
  const [map] = readSourceFiles("src/README.md");
  const blocks = [...(map?.text ?? "").matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text.trimEnd());
  const lines = blocks.flatMap((text) => text.split("\n"));
  expect(lines.length).toBeGreaterThan(0);
  const missing = lines.filter((line) => {
    const [, path = "", name = ""] = FLOW_LINE.exec(line) ?? [];
    const named = [path, ...[...line.matchAll(/\b[a-z]+\/[a-z0-9-]+\.ts\b/g)].map(([found]) => found)];
    const declared = new RegExp(`^(?:export )?(?:async )?(?:function\\*? ?|class )${name}\\b`, "m");
    const text = files.find((file) => file.path === `src/${path}`)?.text ?? "";
    return !declared.test(text) || named.some((each) => !files.some((file) => file.path === `src/${each}`));
  });
  expect(missing).toEqual([]);
});

test("the packages of the table are those that package.json depends on", () => {
  expect([...PACKAGES.keys()].sort()).toEqual(Object.keys(packageFile.dependencies).sort());
});

describe("importFaults finds a planted fault", () => {
  const cases: readonly { note: string; path: string; source: string; fault: string | undefined }[] = [
    { note: "own room", path: "src/cel/a.ts", source: `import { a } from "./b.ts";`, fault: undefined },
    { note: "allowed room", path: "src/cel/a.ts", source: `import { a } from "../core/b.ts";`, fault: undefined },
    {
      note: "higher room",
      path: "src/core/a.ts",
      source: `import { a } from "../cel/b.ts";`,
      fault: "src/core/a.ts:1: core may not import cel",
    },
    {
      note: "type of a room that is not allowed",
      path: "src/agent/a.ts",
      source: `// x\nimport type { A } from "../rule/b.ts";`,
      fault: "src/agent/a.ts:2: agent may not import rule",
    },
    {
      note: "entry past its room",
      path: "src/outcall.ts",
      source: `import { a } from "./core/a.ts";`,
      fault: "src/outcall.ts:1: src/outcall.ts may not import core",
    },
    { note: "unknown room", path: "src/x/a.ts", source: "", fault: "src/x/a.ts: no such room in the table" },
    {
      note: "deeper file",
      path: "src/cel/deep/a.ts",
      source: `import { a } from "../../wire/b.ts";`,
      fault: "src/cel/deep/a.ts:1: cel may not import wire",
    },
    {
      note: "out of src",
      path: "src/cel/a.ts",
      source: `import { a } from "../../test/b.ts";`,
      fault: `src/cel/a.ts:1: "../../test/b.ts" leaves src`,
    },
    {
      note: "no extension",
      path: "src/cel/a.ts",
      source: `import { a } from "./b";`,
      fault: `src/cel/a.ts:1: "./b" has no extension`,
    },
    {
      note: "package of another room",
      path: "src/rule/a.ts",
      source: `import { RE2JS } from "re2js";`,
      fault: "src/rule/a.ts:1: only src/cel/ may import re2js",
    },
    {
      note: "part of a package of another room",
      path: "src/daemon/a.ts",
      source: `import { Value } from "@sinclair/typebox/value";`,
      fault: "src/daemon/a.ts:1: only src/wire/ may import @sinclair/typebox",
    },
    {
      note: "unknown package",
      path: "src/cel/a.ts",
      source: `import a from "left-pad";`,
      fault: "src/cel/a.ts:1: package left-pad is not in the table",
    },
    {
      note: "input in a pure room",
      path: "src/cel/a.ts",
      source: `import { readFileSync } from "node:fs";`,
      fault: "src/cel/a.ts:1: cel is pure, so no node:fs",
    },
    { note: "input elsewhere", path: "src/peer/a.ts", source: `import { x } from "node:fs";`, fault: undefined },
    {
      note: "bun: outside the seam",
      path: "src/peer/a.ts",
      source: `import { dlopen } from "bun:ffi";`,
      fault: "src/peer/a.ts:1: only src/peer/ffi.ts may import bun:",
    },
    { note: "bun: in the seam", path: RUNTIME_SEAM, source: `getBuiltinModule("bun:ffi")`, fault: undefined },
    {
      note: "computed",
      path: "src/cel/a.ts",
      source: "import(name)",
      fault: "src/cel/a.ts:1: the imported module is computed",
    },
  ];
  for (const { note, path, source, fault } of cases) {
    test(note, () => expect(importFaults(sourceFile(path, source))).toEqual(fault === undefined ? [] : [fault]));
  }
});
