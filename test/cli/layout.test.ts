import { describe, expect, test } from "bun:test";
import { formatPairs, formatTable } from "../../src/cli/layout.ts";

describe("formatTable", () => {
  test("aligns columns two spaces apart and leaves nothing behind the last", () => {
    expect(formatTable(["ID", "FILE", "ACTION", "CONDITION"], [
      ["allow-github-api", "00-base.yaml", "allow", "$is_github"],
      ["b", "1.yaml", "block", ""],
    ])).toBe(
      `ID                FILE          ACTION  CONDITION
allow-github-api  00-base.yaml  allow   $is_github
b                 1.yaml        block
`,
    );
  });

  test("counts wide characters as two cells, escapes what is not printable", () => {
    expect(formatTable(["A", "B"], [["日本", "x"], ["\u001b[2J", "y\nz\u202e"]])).toBe(
      "A          B\n日本       x\n\\u{1b}[2J  y\\u{a}z\\u{202e}\n",
    );
  });

  test("prints the headings alone where there are no rows", () => {
    expect(formatTable(["ID", "FILE"], [])).toBe("ID  FILE\n");
  });
});

describe("formatPairs", () => {
  test("aligns values, further lines under the first", () => {
    expect(formatPairs([["Rule", "a"], ["Condition", "x &&\n  y\u0007\n"], ["Log", ""]])).toBe(
      "Rule:       a\nCondition:  x &&\n              y\\u{7}\n\nLog:\n",
    );
  });
});
