import { describe, expect, test } from "bun:test";
import { formatAge, formatDuration } from "../../src/cli/duration.ts";

describe("formatDuration", () => {
  const cases = [
    { seconds: 0, text: "0 s" },
    { seconds: 0.9, text: "0 s" },
    { seconds: 59, text: "59 s" },
    { seconds: 60, text: "1 min" },
    { seconds: 61, text: "1 min 1 s" },
    { seconds: 3_601, text: "1 h" },
    { seconds: 90_000, text: "1 d 1 h" },
    { seconds: 31_536_000, text: "365 d" },
  ];
  for (const { seconds, text } of cases) test(text, () => expect(formatDuration(seconds)).toBe(text));
});

test("formatAge: the largest unit; a time ahead is 0 s", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatAge("2026-11-21T09:30:00Z", now)).toBe("2 h");
  expect(formatAge("2026-11-21T11:59:30.500Z", now)).toBe("29 s");
  expect(formatAge("2026-11-21T12:00:05Z", now)).toBe("0 s");
});
