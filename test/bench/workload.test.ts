// The benchmark's workload must be the common workload of all comparisons; checked if that is available.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { conditionsOf, filesOf, REQUEST, type WorkloadKind } from "../../bench/workload.ts";

const GIVEN = join(import.meta.dir, "../../../shared/bench/workload.mjs");

const cases: readonly (readonly [kind: WorkloadKind, count: number])[] = [
  ["mixed", 1],
  ["mixed", 10],
  ["mixed", 2_500],
  ["host", 10],
  ["host", 1_001],
];

test.skipIf(!existsSync(GIVEN)).each(cases)("%s rules, %d of them", async (kind, count) => {
  const given = await import(GIVEN);
  expect(conditionsOf(count, kind)).toEqual(given.rules(count, kind));
  expect(filesOf(conditionsOf(count, kind)).map(({ name, text }) => [name, text])).toEqual(
    given.ruleFiles(count, kind),
  );
  expect(REQUEST).toEqual(given.context);
});

test("the last rule alone is for the request", () => {
  expect(conditionsOf(3, "host").at(-1)).toBe('network.hostname == "api.example.com" && http.method == "GET"');
});
