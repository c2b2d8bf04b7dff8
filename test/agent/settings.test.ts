// readSettings() reads two variables and ignores all others.
import { expect, test } from "bun:test";
import { readSettings } from "../../src/agent/settings.ts";

test("readSettings has defaults and heeds nothing else", () => {
  const environment = { OUTCALL_TIMEOUT: "1", OUTCALL_AGENT_SOCKET: "/x", OUTCALL_VERDICTS: "json" };
  expect(readSettings(environment)).toEqual({ ok: true, value: { timeoutMs: 30_000, verdictAsJson: false } });
});

const accepted: readonly [seconds: string, timeoutMs: number][] = [["1", 1000], ["30", 30_000], ["300", 300_000]];
test.each(accepted)("readSettings takes %p seconds", (seconds, timeoutMs) => {
  expect(readSettings({ OUTCALL_TIMEOUT_SECS: seconds })).toMatchObject({ ok: true, value: { timeoutMs } });
});

const refused: readonly string[] = [
  "0",
  "301",
  "",
  " 5",
  "5 ",
  "+5",
  "-5",
  "05",
  "5s",
  "1.5",
  "1e2",
  "0x10",
  "Infinity",
  "٣",
];
test.each([...refused])("readSettings refuses %p seconds", (seconds) => {
  expect(readSettings({ OUTCALL_TIMEOUT_SECS: seconds })).toMatchObject({
    ok: false,
    error: { code: "command.usage" },
  });
});

test("readSettings takes json as the form of a verdict and nothing else", () => {
  expect(readSettings({ OUTCALL_VERDICT: "json" })).toMatchObject({ ok: true, value: { verdictAsJson: true } });
  for (const form of ["", "JSON", "text", "1"]) {
    expect(readSettings({ OUTCALL_VERDICT: form })).toMatchObject({ ok: false, error: { code: "command.usage" } });
  }
});
