// No circles among the files of `src`.
import { describe, expect, test } from "bun:test";
import { circlesOf } from "./circles.ts";
import { readSourceFiles, sourceFile } from "./source-files.ts";

test("B3: no files of src import each other in a circle, not even types", () => {
  expect(circlesOf(readSourceFiles("src/**/*.ts")).map((circle) => circle.join(" -> "))).toEqual([]);
});

describe("circlesOf finds a planted circle", () => {
  const cases: readonly { note: string; files: Readonly<Record<string, string>>; found: readonly string[] }[] = [
    {
      note: "none",
      files: {
        "src/a/a.ts": `import { b } from "./b.ts";`,
        "src/a/b.ts": `import { c } from "../c/c.ts";`,
        "src/c/c.ts": "",
      },
      found: [],
    },
    {
      note: "two files, one of them for a type",
      files: { "src/a/a.ts": `import { b } from "./b.ts";`, "src/a/b.ts": `import type { A } from "./a.ts";` },
      found: ["src/a/a.ts src/a/b.ts"],
    },
    {
      note: "three files, behind another",
      files: {
        "src/a/z.ts": `import { b } from "./b.ts";`,
        "src/a/b.ts": `import { c } from "./c.ts";`,
        "src/a/c.ts": `export { d } from "./d.ts";`,
        "src/a/d.ts": `import type { B } from "./b.ts";`,
      },
      found: ["src/a/b.ts src/a/c.ts src/a/d.ts"],
    },
    { note: "a file and itself", files: { "src/a/a.ts": `import { a } from "./a.ts";` }, found: ["src/a/a.ts"] },
  ];
  for (const { note, files, found } of cases) {
    test(note, () => {
      const sources = Object.entries(files).map(([path, text]) => sourceFile(path, text));
      expect(circlesOf(sources).map((circle) => circle.join(" "))).toEqual([...found]);
    });
  }
});
