import { expect, test } from "bun:test";
import { addTallies, countSkippedAsFailed, EMPTY_TALLY, formatTally } from "../../scripts/gate/tally.ts";

const SOME = { passed: 12, failed: 1, skipped: ["test/e2e/a.test.ts: as root"] };

test("formatTally leaves out skipped tests where there are none", () => {
  expect(formatTally(EMPTY_TALLY)).toBe("0 passed, 0 failed");
  expect(formatTally(SOME)).toBe("12 passed, 1 failed, 1 skipped");
});

test("addTallies adds counts and keeps the names", () => {
  expect(addTallies(SOME, { passed: 3, failed: 0, skipped: ["b"] })).toEqual({
    passed: 15,
    failed: 1,
    skipped: ["test/e2e/a.test.ts: as root", "b"],
  });
});

test("countSkippedAsFailed leaves nothing skipped", () => {
  expect(formatTally(countSkippedAsFailed(SOME))).toBe("12 passed, 2 failed");
});
