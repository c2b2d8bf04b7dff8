import { describe, expect, test } from "bun:test";
import {
  checkMetadata,
  METADATA_ENTRIES_LIMIT,
  METADATA_KEY_LIMIT,
  textEntry,
  textsEntry,
} from "../../src/action/metadata.ts";

const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

describe("checkMetadata at its limits", () => {
  const cases: readonly (readonly [note: string, given: Record<string, unknown>, wrong: string | null])[] = [
    ["64 entries", entries(METADATA_ENTRIES_LIMIT), null],
    ["65 entries", entries(METADATA_ENTRIES_LIMIT + 1), "metadata has over 64 entries"],
    ["a key of 1 character", { a: 1 }, null],
    ["a key of 128 characters", { ["k".repeat(METADATA_KEY_LIMIT)]: 1 }, null],
    ["a key of 129 characters", { ["k".repeat(METADATA_KEY_LIMIT + 1)]: 1 }, "is not 1 to 128 characters"],
    ["a key of 128 characters of two units each", { ["\u{1f4a9}".repeat(METADATA_KEY_LIMIT)]: 1 }, null],
    ["a key of 129 such characters", { ["\u{1f4a9}".repeat(METADATA_KEY_LIMIT + 1)]: 1 }, "is not 1 to 128 characters"],
    ["a key of 60,000 characters", { ["k".repeat(60_000)]: 1 }, "is not 1 to 128 characters"],
    ["a key with half a character", { "\ud800": 1 }, "is not 1 to 128 characters"],
    ["the smallest exact integer", { k: -Number.MAX_SAFE_INTEGER }, null],
    ["one below it", { k: -Number.MAX_SAFE_INTEGER - 1 }, "integer beyond 2^53-1"],
    ["a whole number written as a power", { k: 1e300 }, "integer beyond 2^53-1"],
    ["what JSON makes of 1e999", JSON.parse('{"k": 1e999}'), "number out of range"],
    ["undefined", { k: undefined }, "is not a string, number, boolean or list of strings"],
  ];
  for (const [note, given, wrong] of cases) {
    test(note, () => {
      const result = checkMetadata(given);
      if (wrong === null) expect(result).toEqual({ ok: true, value: given as never });
      else expect(result.ok ? "accepted" : result.error.message).toContain(wrong);
    });
  }
});

test("checkMetadata repeats no value in a refusal", () => {
  const result = checkMetadata({ k: ["secret", 1] });
  expect(result.ok ? "accepted" : result.error.message).not.toMatch(/secret|accepted/);
});

test("textEntry and textsEntry read what is there and refuse another kind", () => {
  expect(textEntry({}, "cwd")).toEqual({ ok: true, value: null });
  expect(textEntry({ cwd: "/w" }, "cwd")).toEqual({ ok: true, value: "/w" });
  expect(textEntry({ cwd: ["/w"] }, "cwd").ok).toBe(false);
  expect(textsEntry({}, "argv")).toEqual({ ok: true, value: [] });
  expect(textsEntry({ argv: ["a"] }, "argv")).toEqual({ ok: true, value: ["a"] });
  expect(textsEntry({ argv: "a" }, "argv").ok).toBe(false);
  expect(textsEntry({ argv: false }, "argv").ok).toBe(false);
});
