// Checks every file against the house style.
import { describe, expect, test } from "bun:test";
import { readSourceFiles, sourceFile } from "./source-files.ts";
import {
  defaultExports,
  emptyCatches,
  handPickedTests,
  MAX_LINES,
  misnamed,
  moduleVariables,
  oversize,
  uncheckedTypes,
  undocumentedExports,
} from "./style.ts";

const product = readSourceFiles("src/**/*.ts");
const tests = readSourceFiles("test/**/*.ts");
const scripts = readSourceFiles("scripts/**/*.ts");
const shell = ["setup", "install-packages", "test", "demo", "**/*.c"].flatMap((name) => {
  return readSourceFiles(`scripts/${name}`);
});

test("src: every export has a doc comment", () => {
  expect([...product, ...scripts].flatMap(undocumentedExports)).toEqual([]);
});

test("src: no module has variables", () => {
  expect(product.flatMap(moduleVariables)).toEqual([]);
});

test("src: no error is caught and dropped", () => {
  expect([...product, ...scripts].flatMap(emptyCatches)).toEqual([]);
});

test("nothing has a default export", () => {
  expect([...product, ...tests, ...scripts].flatMap(defaultExports)).toEqual([]);
});

test("nothing goes around the type checker", () => {
  expect([...product, ...tests, ...scripts].flatMap(uncheckedTypes)).toEqual([]);
});

test("no test is left out by hand", () => {
  expect(tests.flatMap(handPickedTests)).toEqual([]);
});

test("no file is too long", () => {
  expect([...product, ...tests, ...scripts, ...shell].flatMap(oversize)).toEqual([]);
});

test("files and folders have names that say something, in kebab-case", () => {
  expect([...product, ...tests, ...scripts, ...shell].flatMap(({ path }) => misnamed(path))).toEqual([]);
});

describe("a planted fault is found, and its neighbour is not", () => {
  type Check = (file: ReturnType<typeof sourceFile>) => readonly string[];
  const cases: readonly { note: string; check: Check; good: string; bad: string }[] = [
    {
      note: "a doc comment on a function",
      check: undocumentedExports,
      good: "/** A. */\nexport function a() {}",
      bad: "// A.\nexport function a() {}",
    },
    {
      note: "a doc comment on a type",
      check: undocumentedExports,
      good: "/** A. */\nexport type A = 1;",
      bad: "/** B. */\ntype B = 2;\nexport type A = B;",
    },
    { note: "names handed on", check: undocumentedExports, good: "export type { A };", bad: "export const a = 1;" },
    { note: "a default export", check: defaultExports, good: "f({ default: 1 });", bad: "export default 1;" },
    { note: "a module's variable", check: moduleVariables, good: "function f() { let a = 1; }", bad: "let a = 1;" },
    {
      note: "an empty catch",
      check: emptyCatches,
      good: "try { a(); } catch (e) { b(e); }\np.catch(() => {});",
      bad: "try { a(); } catch { /* so what */ }",
    },
    {
      note: "an error put aside",
      check: uncheckedTypes,
      good: "// ts-ignore is not used\na();",
      bad: "// @ts-expect-error later\na();",
    },
    { note: "any", check: uncheckedTypes, good: "const b = { any: x.any, all: any(1) };", bad: "const a: any = 1;" },
    { note: "any as an argument", check: uncheckedTypes, good: "f<Any>();", bad: "f<any>();" },
    { note: "a test alone", check: handPickedTests, good: "test.skipIf(x)(y);", bad: `test.only("a", () => {});` },
    { note: "a test left out", check: handPickedTests, good: "a.skip();", bad: `describe.skip("a", () => {});` },
    {
      note: "a long file",
      check: oversize,
      good: "a\n".repeat(MAX_LINES),
      bad: "a\n".repeat(MAX_LINES + 1),
    },
  ];
  for (const { note, check, good, bad } of cases) {
    test(note, () => {
      expect(check(sourceFile("src/a.ts", good))).toEqual([]);
      expect(check(sourceFile("src/a.ts", bad))).toHaveLength(1);
    });
  }

  const names = [
    { good: "src/cel/check-calls.ts", bad: "src/cel/checkCalls.ts" },
    { good: "test/cel/check-expression.test.ts", bad: "test/cel/Check.test.ts" },
    { good: "scripts/static-relink/glue.c", bad: "scripts/static_relink/glue.c" },
    { good: "src/cel/walk-tree.ts", bad: "src/cel/index.ts" },
    { good: "src/cel/code-points.ts", bad: "src/cel/string-utils.ts" },
    { good: "src/peer/pin.ts", bad: "src/helpers/pin.ts" },
  ];
  for (const { good, bad } of names) {
    test(bad, () => {
      expect(misnamed(good)).toEqual([]);
      expect(misnamed(bad)).toHaveLength(1);
    });
  }
});
