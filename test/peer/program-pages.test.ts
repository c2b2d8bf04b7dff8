// Which memory is let go of: code of the program's own file, and nothing that anybody may have written.
import { describe, expect, test } from "bun:test";
import { codeRanges, releaseProgramPages } from "../../src/peer/program-pages.ts";

describe("codeRanges", () => {
  const cases: readonly (readonly [note: string, line: string, ranges: number])[] = [
    ["code of the program", "01a40000-0684a000 r-xp 01838000 fe:00 5488654                            /usr/bin/p", 1],
    ["data that is never written", "00200000-01a39000 r--p 00000000 fe:00 5488654 /usr/bin/p", 0],
    ["data", "06867000-07118000 rw-p 0665e000 fe:00 5488654 /usr/bin/p", 0],
    ["code that is written as it runs", "7f00-7f10 rwxp 00000000 00:00 0 ", 0],
    ["code of no file", "7f00-7f10 r-xp 00000000 00:00 0 [vdso]", 0],
    ["code of no file by the program's name", "7f00-7f10 r-xp 00000000 00:00 0 /usr/bin/p", 0],
    ["code that others see written", "7f00-7f10 r-xs 00000000 fe:00 5 /usr/bin/p", 0],
    ["another file", "7f00-7f10 r-xp 00000000 fe:00 5 /usr/lib/libc.so.6", 0],
    ["a file that begins with its name", "7f00-7f10 r-xp 00000000 fe:00 5 /usr/bin/pp", 0],
    ["a program that was replaced", "7f00-7f10 r-xp 00000000 fe:00 5 /usr/bin/p (deleted)", 0],
    ["nothing", "", 0],
  ];
  test.each(cases)("%s", (_note, line, ranges) => {
    expect(codeRanges(`${line}\n`, "/usr/bin/p")).toHaveLength(ranges);
  });

  test("gives start and length", () => {
    const line = "01a40000-0684a000 r-xp 01838000 fe:00 5 /usr/bin/p";
    expect(codeRanges(line, "/usr/bin/p")).toEqual([{ start: 0x1a40000n, length: 0x4e0a000n }]);
  });
});

test("releaseProgramPages lets go of code, and the process runs on", () => {
  const released = releaseProgramPages();
  expect(released.ok && released.value).toBeGreaterThan(0);
  expect(releaseProgramPages()).toEqual(released);
});
