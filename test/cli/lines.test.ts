import { describe, expect, test } from "bun:test";
import { readLines } from "../../src/cli/lines.ts";
import { bytesOf } from "../support/program/cli-io.ts";

const LIMIT = 8;

async function linesOf(chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(bytesOf(chunks), LIMIT)) {
    lines.push(line.ok ? line.value : `error: ${line.error}`);
  }
  return lines;
}

describe("readLines", () => {
  const cases = [
    { note: "nothing", chunks: [], lines: [] },
    { note: "lines in one chunk", chunks: ["a\nb\n"], lines: ["a", "b"] },
    { note: "a last line without a break", chunks: ["a\nb"], lines: ["a", "b"] },
    { note: "an empty line is a line", chunks: ["a\n\nb\n"], lines: ["a", "", "b"] },
    { note: "a line over several chunks", chunks: ["a", "b", "c\nd", "\n"], lines: ["abc", "d"] },
    {
      note: "a character over two chunks",
      chunks: [new Uint8Array([0xc3]), new Uint8Array([0xbc, 0x0a])],
      lines: ["ü"],
    },
    { note: "a line at the limit", chunks: ["12345678\nx\n"], lines: ["12345678", "x"] },
    { note: "a line over the limit ends it", chunks: ["123456789\nx\n"], lines: ["error: longer than 8 bytes"] },
    { note: "an endless line ends it", chunks: ["12345", "6789", "x\ny\n"], lines: ["error: longer than 8 bytes"] },
    {
      note: "bytes that are no UTF-8 end it",
      chunks: [new Uint8Array([0xff, 0x0a]), "x\n"],
      lines: ["error: not UTF-8"],
    },
  ];
  for (const { note, chunks, lines } of cases) {
    test(note, async () => expect(await linesOf(chunks)).toEqual(lines));
  }

  test("keeps its own copy of a buffer that its stream uses again", async () => {
    const buffer = new Uint8Array(1);
    async function* reusing(): AsyncGenerator<Uint8Array> {
      for (const byte of [0x61, 0x62, 0x0a]) {
        buffer[0] = byte;
        yield buffer;
      }
    }
    const lines: unknown[] = [];
    for await (const line of readLines(reusing(), LIMIT)) lines.push(line);
    expect(lines).toEqual([{ ok: true, value: "ab" }]);
  });
});
