// Properties of the project as a whole: its top level, its version, its problem codes, the libc functions that are
// linked in.
import { expect, test } from "bun:test";
import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { FFI_FUNCTIONS, PROJECT } from "../../scripts/project.ts";
import { PROBLEMS } from "../../src/core/problem.ts";
import { VERSION } from "../../src/core/version.ts";
import { RUNTIME_SEAM } from "./rooms.ts";
import { readSourceFiles } from "./source-files.ts";

const COMMITTED = new Set([
  ...["src", "scripts", "test", "docs", "examples", "bench", ".ci"],
  ...["bunfig.toml", "package.json", "tsconfig.json", "bun.lock", ".gitignore"],
  ...["README.md", "CHANGELOG.md", "LICENSE"],
]);
const MADE = new Set([".git", "node_modules", "dist", ".cache"]);

test("the top level has no file or folder that it should not have", () => {
  const unknown = readdirSync(PROJECT).filter((name) => !COMMITTED.has(name) && !MADE.has(name));
  expect(unknown).toEqual([]);
});

test("no committed file contains merge conflict markers", () => {
  const files = [...COMMITTED].flatMap((name) => [name, ...globSync(`${name}/**/*`, { cwd: PROJECT })])
    .filter((path) => statSync(join(PROJECT, path)).isFile());
  expect(files).toContain("src/README.md");
  const isOpen = (path: string) => /^(<{7}|>{7}|\|{7}) /m.test(readFileSync(join(PROJECT, path), "latin1"));
  expect(files.filter(isOpen)).toEqual([]);
});

test("the programs' version is the package's", () => {
  expect(VERSION).toBe(packageFile.version);
});

test("every problem code is produced somewhere in src", () => {
  const produced = wordsIn("src/**/*.ts", "src/core/problem.ts");
  expect(Object.keys(PROBLEMS).filter((code) => !produced.has(code))).toEqual([]);
});

test("every problem code is asked for by some test", () => {
  const text = readSourceFiles("test/**/*.{ts,txt,json,yaml}").map((file) => file.text).join("\n");
  expect(Object.keys(PROBLEMS).filter((code) => !text.includes(code))).toEqual([]);
});

test("the functions that src calls by FFI are those that a static program can look up", () => {
  const [seam] = readSourceFiles(RUNTIME_SEAM);
  const table = /const SIGNATURES: Signatures = \{(.*?)\n\};/s.exec(seam?.text ?? "")?.[1] ?? "";
  const called = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  expect(called.sort()).toEqual([...FFI_FUNCTIONS]);
});

function wordsIn(pattern: string, except: string): ReadonlySet<string> {
  const files = readSourceFiles(pattern).filter(({ path }) => path !== except);
  return new Set(files.flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === "string").map(({ text }) => text)));
}
