import { describe, expect, test } from "bun:test";
import { cellWidth } from "../../src/core/cell-width.ts";
import { plain } from "../../src/cli/color.ts";
import { cutToCells, formatPairs, formatTable } from "../../src/cli/layout.ts";

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

  test("prints only the headings if there are no rows", () => {
    expect(formatTable(["ID", "FILE"], [])).toBe("ID  FILE\n");
  });
});

describe("D: a table on a terminal", () => {
  const headings = ["ID", "FILE", "ACTION", "CONDITION"];
  const rows = [
    ["rr-0123456789ab", "a-file-with-a-long-name.yaml", "allow", "x".repeat(100)],
    ["日本語", "b.yaml", "block", "日".repeat(50)],
  ];
  const widthsAt = (columns: number) =>
    formatTable(headings, rows, { columns, paint: plain }).trimEnd().split("\n").map(cellWidth);

  test.each([30, 40, 60, 80, 100, 150])("no line is wider than %d cells", (columns) => {
    expect(Math.max(...widthsAt(columns))).toBeLessThanOrEqual(columns);
    expect(Math.max(...widthsAt(columns))).toBeGreaterThanOrEqual(columns - 1);
  });

  test("one that fits is whole, and so is any in a pipe", () => {
    const whole = formatTable(headings, rows);
    expect(formatTable(headings, rows, { columns: 200, paint: plain })).toBe(whole);
    expect(whole).toContain("x".repeat(100));
  });

  test("the last column gives way first, then the widest between, the first one last", () => {
    const lines = (columns: number) => formatTable(headings, rows, { columns, paint: plain }).split("\n");
    expect(lines(100)[1]).toStartWith("rr-0123456789ab  a-file-with-a-long-name.yaml  allow   xxx");
    expect(lines(60)[1]).toMatch(/^rr-0123456789ab {2}a-file-with-a-\S*… {2}allow {3}x+…$/);
    expect(lines(40)[1]).toMatch(/^rr-01234\S*… /);
  });

  test("colour is not counted as width", () => {
    const paint = (text: string) => `\u001b[1m${text}\u001b[0m`;
    const colored = formatTable(["A", "B"], [[{ text: "allow", style: "good" }, "b"]], { columns: 80, paint });
    expect(colored).toBe("A      B\n\u001b[1mallow\u001b[0m  b\n");
  });
});

test("cutToCells: by cells, no wide character and no escape in halves", () => {
  const cases = [["abc", 3, "abc"], ["abcd", 3, "ab…"], ["日本語", 5, "日本…"], ["日本語", 4, "日…"], [
    "a\\u{1b}bc",
    5,
    "a…",
  ]] as const;
  for (const [text, limit, cut] of cases) expect(cutToCells(text, limit)).toBe(cut);
});

describe("formatPairs", () => {
  test("aligns values, further lines under the first", () => {
    expect(formatPairs([["Rule", "a"], ["Condition", "x &&\n  y\u0007\n"], ["Log", ""]])).toBe(
      "Rule:       a\nCondition:  x &&\n              y\\u{7}\n\nLog:\n",
    );
  });
});
