// The picture in README.md: its lines, and that it is an SVG with text only.
import { describe, expect, test } from "bun:test";
import { drawTerminal } from "../../scripts/picture/draw-terminal.ts";
import { COLUMNS, FIRST_HEADING, pictureLines } from "../../scripts/picture/picture-lines.ts";

const textsOf = (output: string) => pictureLines(output).map((line) => line.map(({ text }) => text).join(""));
const looksOf = (line: string) => pictureLines(`${FIRST_HEADING}\n${line}\n`).at(-1)?.map(({ look }) => look);

describe("pictureLines", () => {
  test("begins with the command and the first heading, whatever was printed before", () => {
    const output =
      `Building\n\u001b[1mStarting\u001b[0m\n\n\u001b[1m${FIRST_HEADING}\u001b[0m\n\n$ outcall-agent checkin\nctr-0123456789ab\n`;
    expect(textsOf(output)).toEqual([
      "$ ./scripts/demo",
      "",
      FIRST_HEADING,
      "$ outcall-agent checkin",
      "ctr-4f1d0c9e2b7a",
    ]);
  });

  test("replaces the ids of containers and records, which differ in each run", () => {
    const output = `${FIRST_HEADING}\nctr-0123456789ab\noutcall-agent: record rec-0123456789ab; to ask\n`;
    expect(textsOf(output).slice(-2)).toEqual(["ctr-4f1d0c9e2b7a", "outcall-agent: record rec-a63fc09fdbe5; to ask"]);
  });

  test("cuts a line at the last column, and leaves one that fits", () => {
    const fits = "x".repeat(COLUMNS);
    expect(textsOf(`${FIRST_HEADING}\n${fits}\n${fits}y\n`).slice(-2)).toEqual([fits, `${fits.slice(1)}…`]);
  });

  test("without the heading it is no demo's output", () => expect(() => pictureLines("Done\n")).toThrow(FIRST_HEADING));

  test.each([
    ["$ outcall-agent checkin", ["prompt", "command"]],
    ["denied: no", ["bad"]],
    ["outcall-agent: denied: no", ["bad"]],
    ["(exit 0, as expected)", ["quiet"]],
    ["allow  git.look", ["good", "plain"]],
    ["block  x", ["bad", "plain"]],
    ["Done: every result was as expected.", ["good"]],
    ["?? hello.txt", ["plain"]],
  ])("the look of %p", (line, looks) => expect<readonly string[] | undefined>(looksOf(line)).toEqual(looks));
});

describe("drawTerminal", () => {
  const svg = drawTerminal(pictureLines(`${FIRST_HEADING}\n<script>alert("1" && '2')</script>\n`));

  test("escapes every text", () => {
    expect(svg).toContain("&lt;script&gt;alert(&quot;1&quot; &amp;&amp; &#39;2&#39;)&lt;/script&gt;");
    expect(svg).not.toContain("<script");
  });

  test("has a title and a description, and nothing from elsewhere", () => {
    expect(svg).toMatch(/role="img" aria-labelledby="title description"/);
    expect(svg).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/);
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
      /https?:|href|url\(|@import|<image|<foreignObject| on[a-z]+=/,
    );
  });

  test("every tag is closed", () => {
    const open: string[] = [];
    for (const [, slash, name = "", self] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
      if (slash === "/") expect(open.pop()).toBe(name);
      else if (self !== "/") open.push(name);
    }
    expect(open).toEqual([]);
  });
});
