// Durations and sizes as operators write them.
import { expect, test } from "bun:test";
import { AGE_UNITS, LIMIT_UNITS, parseDuration, parseSize } from "../../src/core/quantity.ts";

const ages: readonly (readonly [string, number | null])[] = [
  ["1s", 1_000],
  ["90m", 5_400_000],
  ["1h", 3_600_000],
  ["30d", 2_592_000_000],
  ["2w", 1_209_600_000],
  ["999999w", 999_999 * 604_800_000],
  ["1000000s", 1_000_000_000],
  ["1000000w", null],
  ["1000000000s", null],
  ["0d", null],
  ["", null],
  ["30", null],
  ["d", null],
  ["1.5h", null],
  ["-1h", null],
  ["1 h", null],
  ["1H", null],
  ["1y", null],
  ["500ms", null],
];
for (const [text, milliseconds] of ages) {
  test(`parseDuration, an age: ${JSON.stringify(text)}`, () => {
    expect(parseDuration(text, AGE_UNITS)).toBe(milliseconds);
  });
}

const limits: readonly (readonly [string, number | null])[] = [
  ["500ms", 500],
  ["2s", 2_000],
  ["1m", 60_000],
  ["007s", 7_000],
  ["1440m", 86_400_000],
  ["1441m", 86_460_000],
  ["0s", null],
  ["5", null],
  ["s", null],
  ["", null],
  ["-1s", null],
  ["1.5s", null],
  ["1e3ms", null],
  [" 1s", null],
  ["1s\n", null],
  ["1S", null],
  ["1h", null],
  ["1sm", null],
  ["1constructor", null],
  ["9999999999ms", null],
  ["٣s", null],
];
for (const [text, milliseconds] of limits) {
  test(`parseDuration, a limit: ${JSON.stringify(text)}`, () => {
    expect(parseDuration(text, LIMIT_UNITS)).toBe(milliseconds);
  });
}

const sizes: readonly (readonly [string, number | null])[] = [
  ["1KB", 1_000],
  ["500MB", 500_000_000],
  ["1GB", 1_000_000_000],
  ["2TB", 2_000_000_000_000],
  ["999999TB", 999_999e12],
  ["0MB", null],
  ["1", null],
  ["1gb", null],
  ["1GiB", null],
  ["1B", null],
  ["GB", null],
];
for (const [text, bytes] of sizes) {
  test(`parseSize: ${JSON.stringify(text)}`, () => expect(parseSize(text)).toBe(bytes));
}
