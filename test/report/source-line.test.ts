import { describe, expect, test } from "bun:test";
import { cellWidth } from "../../src/core/cell-width.ts";
import { LINE_CELLS, showLine } from "../../src/report/source-line.ts";

describe("showLine", () => {
  const cases = [
    { note: "a range", line: "abc def", from: 5, to: 8, text: "abc def", carets: "    ^^^" },
    { note: "an empty range still has a caret", line: "abc", from: 2, to: 2, text: "abc", carets: " ^" },
    { note: "the end of the line", line: "abc", from: 4, to: 4, text: "abc", carets: "   ^" },
    { note: "beyond the line", line: "abc", from: 9, to: 12, text: "abc", carets: "   ^" },
    { note: "tabs become four cells", line: "\ta\tb", from: 4, to: 5, text: "    a    b", carets: "         ^" },
    { note: "wide characters take two cells", line: "日本x", from: 3, to: 4, text: "日本x", carets: "    ^" },
    { note: "a marked wide character has two carets", line: "a日", from: 2, to: 3, text: "a日", carets: " ^^" },
    { note: "combining marks take none", line: "e\u0301x", from: 3, to: 4, text: "e\u0301x", carets: " ^" },
    { note: "emoji are two units and two cells", line: "😀x", from: 3, to: 4, text: "😀x", carets: "  ^" },
    { note: "a range inside a pair", line: "😀x", from: 2, to: 3, text: "😀x", carets: "^^" },
    { note: "half-width Katakana", line: "ｱx", from: 2, to: 3, text: "ｱx", carets: " ^" },
    { note: "controls are escaped", line: "\u001b[2Jx", from: 5, to: 6, text: "\\u{1b}[2Jx", carets: "         ^" },
    { note: "bidi marks are escaped", line: "\u202ex", from: 1, to: 2, text: "\\u{202e}x", carets: "^^^^^^^^" },
    { note: "a lone surrogate is escaped", line: "\ud800x", from: 2, to: 3, text: "\\u{d800}x", carets: "        ^" },
  ];
  for (const { note, line, from, to, text, carets } of cases) {
    test(note, () => expect(showLine(line, from, to)).toEqual({ text, carets }));
  }

  test("a line of the whole width is shown whole", () => {
    expect(showLine("x".repeat(LINE_CELLS), 1, 2).text).toBe("x".repeat(LINE_CELLS));
  });

  test("a line one cell over is cut behind", () => {
    const { text } = showLine("x".repeat(LINE_CELLS + 1), 1, 2);
    expect(text).toBe(`${"x".repeat(LINE_CELLS - 3)}...`);
  });

  test("wherever the range stands in a long line, the carets stand under it and the line fits", () => {
    const line = Array.from({ length: 400 }, (_, index) => "日\ta\u001bb😀"[index % 5] ?? "").join("");
    const marker = "#";
    for (let at = 0; at < line.length; at += 7) {
      const marked = line.slice(0, at) + marker + line.slice(at);
      const { text, carets } = showLine(marked, at + 1, at + 2);
      expect(cellWidth(text)).toBeLessThanOrEqual(LINE_CELLS);
      expect(carets.trim()).toBe("^");
      expect(cellWidth(text.slice(0, text.indexOf(marker)))).toBe(carets.indexOf("^"));
    }
  });

  test("a line that is too long is cut on both sides", () => {
    const { text, carets } = showLine(`${"😀".repeat(5_000)}#${"y".repeat(5_000)}`, 10_001, 10_002);
    expect(text).toMatch(/^\.\.\.(😀){12}#y+\.\.\.$/u);
    expect(carets).toBe(`${" ".repeat(27)}^`);
  });

  test("a range longer than the line has no more carets than there are cells shown", () => {
    const { text, carets } = showLine("y".repeat(50) + "x".repeat(1_000), 51, 1_051);
    expect(carets.length).toBeLessThanOrEqual(cellWidth(text));
    expect(text[carets.indexOf("^")]).toBe("x");
  });
});
