// The recorded order of the bytecode: in the compiler's format, and with each function once.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { bytecodeOrderOf, tuningOf } from "../../scripts/project.ts";

test("the daemon is built with its bytecode order, which lists functions only", () => {
  const path = bytecodeOrderOf("outcalld");
  expect(tuningOf("outcalld").flags).toContain(`--bytecode-order=${path}`);
  const [version, ...functions] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(version).toBe("v2");
  expect(functions.filter((line) => !/^F [0-9a-f]{16}$/.test(line))).toEqual([]);
  expect(new Set(functions).size).toBe(functions.length);
});
