import { describe, expect, test } from "bun:test";
import { findImports } from "./imports.ts";
import { readTokens } from "./tokens.ts";

describe("findImports finds every form", () => {
  const cases: readonly { note: string; source: string; found: readonly (string | undefined)[] }[] = [
    { note: "names", source: `import { a, type b as c } from "./x.ts";`, found: ["./x.ts"] },
    { note: "over lines", source: `import {\n  a,\n} from "./x.ts";`, found: ["./x.ts"] },
    { note: "a default", source: `import a from "x";`, found: ["x"] },
    { note: "a namespace", source: `import * as a from "x";`, found: ["x"] },
    { note: "types", source: `import type { A } from "./x.ts";`, found: ["./x.ts"] },
    { note: "effects alone", source: `import "./x.ts";`, found: ["./x.ts"] },
    { note: "attributes", source: `import a from "./x.json" with { type: "json" };`, found: ["./x.json"] },
    { note: "re-exported names", source: `export { a } from "./x.ts";`, found: ["./x.ts"] },
    { note: "re-exported types", source: `export type { A } from "./x.ts";`, found: ["./x.ts"] },
    {
      note: "everything re-exported",
      source: `export * from "./x.ts"; export * as y from "./y.ts";`,
      found: ["./x.ts", "./y.ts"],
    },
    { note: "dynamic", source: `const a = await import("./x.ts");`, found: ["./x.ts"] },
    { note: "dynamic with a comment", source: `import(/* why */ "./x.ts")`, found: ["./x.ts"] },
    { note: "computed", source: "await import(`./${name}.ts`)", found: [undefined] },
    { note: "in a type", source: `type A = import("./x.ts").A;`, found: ["./x.ts"] },
    { note: "required", source: `const a = require("x");`, found: ["x"] },
    { note: "built-in", source: `process.getBuiltinModule("bun:ffi")`, found: ["bun:ffi"] },
  ];
  for (const { note, source, found } of cases) {
    test(note, () => expect(findImports(readTokens(source)).map(({ specifier }) => specifier)).toEqual([...found]));
  }
});

describe("findImports ignores text that is not an import", () => {
  const cases = [
    { note: "a comment", source: `// import "./x.ts"\n/* import { a } from "./y.ts" */` },
    { note: "a string", source: `const a = 'import "./x.ts"';` },
    { note: "a template", source: "const a = `import './x.ts'`;" },
    { note: "import.meta", source: "const a = import.meta.dirname;" },
    { note: "a member", source: `a.import("./x.ts"); a.from("y");` },
    { note: "a variable called from", source: `const from = "x"; f(from, "y");` },
  ];
  for (const { note, source } of cases) {
    test(note, () => expect(findImports(readTokens(source))).toEqual([]));
  }
});

test("findImports names the line", () => {
  expect(findImports(readTokens(`\n\nimport {\n  a,\n} from "./x.ts";`))).toEqual([{ specifier: "./x.ts", line: 5 }]);
});
