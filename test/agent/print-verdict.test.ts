// The shim prints a reason as one printable line, whatever characters it contains.
import { describe, expect, test } from "bun:test";
import { formatCheckJson, formatVerdict, formatVerdictJson } from "../../src/agent/print-verdict.ts";
import { CheckOutput } from "../../src/wire/agent-output.ts";
import { decode } from "../../src/wire/decode.ts";

const denied = (reason: string | null) => ({ allowed: false, matched_rule: null, reason });
const HOSTILE = "a\r\n\u001b[2J\u0085\u202e\u2028\u200b\ue000\u{e0041}\ud800 é🙂";

describe("formatVerdict", () => {
  test("says allowed, or denied and why", () => {
    expect(formatVerdict({ allowed: true, matched_rule: "rule-1", reason: "fine" })).toBe("allowed");
    expect(formatVerdict(denied("blocked by policy"))).toBe("denied: blocked by policy");
    expect(formatVerdict(denied(null))).toBe("denied: no reason given");
    expect(formatVerdict(denied(""))).toBe("denied: ");
  });

  test("escapes what is not printable and cuts at 4096", () => {
    expect(formatVerdict(denied(HOSTILE))).toBe(
      "denied: a\\u{d}\\u{a}\\u{1b}[2J\\u{85}\\u{202e}\\u{2028}\\u{200b}\\u{e000}\\u{e0041}\\u{d800} é🙂",
    );
    expect(formatVerdict(denied("x".repeat(4096)))).toBe(`denied: ${"x".repeat(4096)}`);
    expect(formatVerdict(denied("x".repeat(4097)))).toBe(`denied: ${"x".repeat(4096)}...`);
  });
});

describe("formatCheckJson", () => {
  test("is the verdict with a version, in the published schema", () => {
    const line = formatCheckJson(denied(HOSTILE));
    expect(JSON.parse(line)).toEqual({ version: 1, ...denied(HOSTILE) });
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u);
    expect(decode(CheckOutput, JSON.parse(line)).ok).toBe(true);
    expect(decode(CheckOutput, denied(HOSTILE)).ok).toBe(false);
  });
});

describe("formatVerdictJson", () => {
  test("is the same verdict in printable characters", () => {
    const line = formatVerdictJson(denied(HOSTILE));
    expect(JSON.parse(line)).toEqual(denied(HOSTILE));
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u);
    expect(line).toContain("é🙂");
  });
});
