import { describe, expect, test } from "bun:test";
import { parseScript, splitWords } from "./script.ts";

describe("parseScript", () => {
  test("reads commands, streams, status and files", () => {
    const script = parseScript(
      `# note
$ A=b=c outcall lint 'a b' "c'd"
< in
> out
>
2> err
= 2

$ outcall version

-- a/b.yaml --
one
# two

-- hook 755 --
three
`,
    );
    expect(script).toEqual({
      steps: [
        {
          line: 2,
          variables: { A: "b=c" },
          words: ["outcall", "lint", "a b", "c'd"],
          stdin: "in\n",
          stdout: "out\n\n",
          stderr: "err\n",
          exit: 2,
        },
        { line: 9, variables: {}, words: ["outcall", "version"], stdin: "", stdout: "", stderr: "", exit: 0 },
      ],
      files: [{ name: "a/b.yaml", mode: 0o644, text: "one\n# two\n" }, { name: "hook", mode: 0o755, text: "three\n" }],
    });
  });

  test("refuses what means nothing", () => {
    expect(() => parseScript("$ outcall\nstray\n")).toThrow("line 2");
    expect(() => parseScript("> early\n")).toThrow("line 1");
  });
});

test("splitWords joins quoted and plain parts", () => {
  expect(splitWords(`a='b c'"d"  '' e`)).toEqual(["a=b cd", "", "e"]);
});
