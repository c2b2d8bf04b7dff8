import { expect, test } from "bun:test";
import { countOf } from "../../src/core/count.ts";

test("A5: countOf: one file, two files, no files", () => {
  expect([0, 1, 2].map((number) => countOf(number, "file"))).toEqual(["0 files", "1 file", "2 files"]);
});
