// Every document and file that sources and documents mention is in the repository.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";
import { deadReferences } from "./references.ts";
import { readSourceFiles, sourceFile } from "./source-files.ts";

const exists = (path: string) => existsSync(join(PROJECT, path));

test.each(["src/**/*.{ts,md}", "scripts/**/*.ts", "bench/**/*.ts", "test/**/*.{ts,md}", "{docs,.}/*.md"])(
  "%s: no reference is dead",
  (pattern) => {
    expect(readSourceFiles(pattern).flatMap((file) => deadReferences(file, exists))).toEqual([]);
  },
);

describe("deadReferences finds a planted fault", () => {
  const HERE = new Set(["docs/rules.md", "src/cel/value.ts", "test/cel/value.test.ts"]);
  const cases: readonly {
    readonly note: string;
    readonly path: string;
    readonly text: string;
    readonly dead: string[];
  }[] = [
    { note: "a document", path: "src/a.ts", text: "// as guide.md says", dead: ["guide.md"] },
    { note: "a section of a document", path: "src/a.ts", text: "// (rules.md 12)", dead: ["rules.md 12"] },
    { note: "a section of a specification", path: "src/a.ts", text: "// (S004 section 3)", dead: ["S004 section"] },
    { note: "a file", path: "src/a.ts", text: "// see cel/gone.ts", dead: ["cel/gone.ts"] },
    { note: "a link in a page", path: "docs/a.md", text: "see [x](gone.md)", dead: ["gone.md"] },
    { note: "what is there", path: "docs/a.md", text: "see [x](rules.md), `cel/value.ts`", dead: [] },
    { note: "what is there, from below", path: "src/cel/a.ts", text: "// ../../docs/rules.md, S003-FR-004", dead: [] },
    { note: "code and blocks", path: "src/a.ts", text: 'const a = "gone.md";', dead: [] },
  ];
  for (const { note, path, text, dead } of cases) {
    test(note, () => {
      expect(deadReferences(sourceFile(path, text), (each) => HERE.has(each))).toEqual(
        dead.map((each) => `${path}:1: ${each}`),
      );
    });
  }
});
