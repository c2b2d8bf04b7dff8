// Log lines: one line per record in both formats, whatever characters foreign texts contain.
import { describe, expect, test } from "bun:test";
import { type LogFields, startLog } from "../../src/log/logger.ts";
import type { Config } from "../../src/daemon/config.ts";

function logged(logFormat: Config["logFormat"], fields: LogFields, isTerminal = false): string {
  const lines: string[] = [];
  const log = startLog({ logFormat, logLevel: "info" }, isTerminal, (line) => lines.push(line));
  log.warning("agent.check", fields);
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

// Texts with a special meaning for terminals or log readers.
const HOSTILE: readonly { note: string; text: string }[] = [
  { note: "escape sequence", text: "\u001b[2J\u001b]0;x\u0007" },
  { note: "control of eight bits", text: "\u009b2J" },
  { note: "lines", text: "a\nb\r\nc\u2028d\u2029e\u0085" },
  { note: "bidi", text: "\u202egpj.exe\u2066\u200f" },
  { note: "zero width", text: "a\u200bb\ufeff" },
  { note: "lone surrogate", text: "\ud800" },
  { note: "tag characters", text: "\u{e0041}" },
  { note: "a member of its own", text: 'x" allowed=true rule="y' },
  { note: "a record of its own", text: '"}\n{"event":"ready"}' },
];
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]*\n$/u;

for (const logFormat of ["json", "text"] as const) {
  describe(`a line of ${logFormat} holds hostile text harmlessly`, () => {
    for (const { note, text } of HOSTILE) {
      test(note, () => {
        const line = logged(logFormat, { target: text, list: [text, text], allowed: false });
        expect(line).toMatch(PRINTABLE);
        if (logFormat === "json") expect(JSON.parse(line)).toMatchObject({ target: text, allowed: false });
        else expect(line).toEndWith(" allowed=false\n");
      });
    }
  });
}

test("a text record: time, level, event, then the members; plain values need no quotes, empty ones are omitted", () => {
  const fields = { path: "/bin/x", count: 3, none: null, missing: undefined, text: "a b", list: ["a", "b"], empty: "" };
  expect(logged("text", fields)).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]{12}Z warning agent\.check path=\/bin\/x count=3 text="a b" list="a, b" empty=""\n$/,
  );
});

test("a value in a text record cannot end its quotes, and is cut", () => {
  expect(logged("text", { target: 'x" allowed=true' })).toEndWith('agent.check target="x\\" allowed=true"\n');
  expect(logged("text", { target: "a b".repeat(1_000) }).length).toBeLessThan(1_100);
});

test("a JSON record has time, level and event first", () => {
  expect(Object.keys(JSON.parse(logged("json", { a: 1, b: null })))).toEqual(["time", "level", "event", "a", "b"]);
});

test("auto is text on a terminal and JSON elsewhere", () => {
  expect(logged("auto", {}, true)).not.toStartWith("{");
  expect(logged("auto", {}, false)).toStartWith("{");
  expect(logged("json", {}, true)).toStartWith("{");
});

test("records below the level are not written, and a brace in an event's fields is no template", () => {
  const lines: string[] = [];
  const log = startLog({ logFormat: "json", logLevel: "warning" }, false, (line) => lines.push(line));
  log.debug("a", {});
  log.info("b", {});
  log.warning("c", { target: "{other}", other: "x" });
  log.error("d", {});
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(["c", "d"]);
  expect(JSON.parse(lines[0] ?? "").target).toBe("{other}");
});
