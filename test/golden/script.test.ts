import { describe, expect, test } from "bun:test";
import { parseScript, placeDirectory, splitWords, wordAs } from "./script.ts";

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
& outcalld

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
          isDaemon: false,
          variables: { A: "b=c" },
          words: ["outcall", "lint", "a b", "c'd"],
          stdin: "in\n",
          stdout: "out\n\n",
          stderr: "err\n",
          exit: 2,
        },
        {
          line: 9,
          isDaemon: false,
          variables: {},
          words: ["outcall", "version"],
          stdin: "",
          stdout: "",
          stderr: "",
          exit: 0,
        },
        { line: 10, isDaemon: true, variables: {}, words: ["outcalld"], stdin: "", stdout: "", stderr: "", exit: 0 },
      ],
      files: [{ name: "a/b.yaml", mode: 0o644, text: "one\n# two\n" }, { name: "hook", mode: 0o755, text: "three\n" }],
    });
  });

  test("refuses what means nothing", () => {
    expect(() => parseScript("$ outcall\nstray\n")).toThrow("line 2");
    expect(() => parseScript("> early\n")).toThrow("line 1");
    expect(() => parseScript("& outcalld\n= 1\n")).toThrow("line 2");
  });
});

test("splitWords joins quoted and plain parts", () => {
  expect(splitWords(`a='b c'"d"  '' e`)).toEqual(["a=b cd", "", "e"]);
});

test("placeDirectory puts the directory into words", () => {
  expect(placeDirectory("--a=$DIR/b", "/tmp/x")).toBe("--a=/tmp/x/b");
});

describe("wordAs", () => {
  const cases = [
    { note: "the directory", expected: "$DIR/a", output: "/tmp/x/a", worded: "$DIR/a" },
    { note: "any text", expected: "pid [...] (up)", output: "pid 12 (up)", worded: "pid [...] (up)" },
    { note: "not over lines", expected: "a [...]\nb", output: "a 1\nc", worded: "a [...]\nc" },
    { note: "the rest must fit", expected: "a.[...]", output: "ab1", worded: "ab1" },
  ];
  for (const { note, expected, output, worded } of cases) {
    test(note, () => expect(wordAs(expected, output, "/tmp/x")).toBe(worded));
  }
});
