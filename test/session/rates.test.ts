// The rate windows of S004-FR-014: exact at their boundary, compared with a plain count of the requests in the window.
import { describe, expect, test } from "bun:test";
import { RateWindow } from "../../src/session/rate-window.ts";
import { ANY_FACTOR, DEFAULT_RATES, Rates } from "../../src/session/rates.ts";
import { seededRandom } from "../support/random.ts";

describe("RateWindow", () => {
  test("a hundred in ten seconds; the next when the first is out, not a moment before", () => {
    const window = new RateWindow({ count: 100, periodMs: 10_000 });
    for (let sent = 0; sent < 100; sent++) {
      expect(window.waitMs(sent)).toBe(0);
      window.add(sent);
    }
    expect(window.waitMs(99)).toBe(9_901);
    expect(window.waitMs(9_999)).toBe(1);
    expect(window.waitMs(10_000)).toBe(0);
    window.add(10_000);
    expect(window.waitMs(10_000)).toBe(1);
    expect(window.waitMs(10_001)).toBe(0);
  });

  test("one in a second", () => {
    const window = new RateWindow({ count: 1, periodMs: 1_000 });
    window.add(5);
    expect([window.waitMs(5), window.waitMs(1_004), window.waitMs(1_005)]).toEqual([1_000, 1, 0]);
    expect([window.isEmpty(1_004), window.isEmpty(1_005)]).toEqual([false, true]);
  });

  const seed = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
  test(`any times: as a plain count says (seed ${seed})`, () => {
    const random = seededRandom(seed);
    for (let round = 0; round < 200; round++) {
      const rate = { count: 1 + random.below(8), periodMs: 1 + random.below(50) };
      const window = new RateWindow(rate);
      const taken: number[] = [];
      let nowMs = random.below(10);
      for (let step = 0; step < 100; step++) {
        nowMs += random.below(12);
        const inWindow = taken.filter((time) => time > nowMs - rate.periodMs);
        expect(window.waitMs(nowMs) === 0).toBe(inWindow.length < rate.count);
        if (inWindow.length >= rate.count) continue;
        window.add(nowMs);
        taken.push(nowMs);
      }
    }
  });
});

describe("Rates", () => {
  const small = {
    permissions: { count: 2, periodMs: 1_000 },
    ruleRequests: { count: 1, periodMs: 5_000 },
  };

  test("the limits of the specification", () => {
    expect(DEFAULT_RATES).toEqual({
      permissions: { count: 100, periodMs: 10_000 },
      ruleRequests: { count: 10, periodMs: 60_000 },
    });
    expect(ANY_FACTOR).toBe(3);
  });

  test("kinds and containers are counted separately; a request above the rate does not count", () => {
    const rates = new Rates(small);
    expect(rates.take("a", "permissions", 0)).toBe(0);
    expect(rates.take("a", "permissions", 500)).toBe(0);
    for (let time = 500; time < 1_000; time += 50) expect(rates.take("a", "permissions", time)).toBe(1_000 - time);
    expect(rates.take("a", "ruleRequests", 999)).toBe(0);
    expect(rates.take("a", "ruleRequests", 999)).toBe(5_000);
    expect(rates.take("b", "permissions", 999)).toBe(0);
    expect(rates.take("a", "permissions", 1_000)).toBe(0);
  });

  test("requests of any kind, refused ones included: three times the rate, and only a pause makes room", () => {
    const rates = new Rates(small);
    for (let sent = 0; sent < 6; sent++) expect(rates.countAny("a", 0)).toBe(0);
    expect(rates.countAny("a", 999)).toBe(1);
    expect(rates.countAny("b", 999)).toBe(0);
    // The request at 999 still counts; the six at 0 no longer do.
    for (let sent = 0; sent < 5; sent++) expect(rates.countAny("a", 1_000)).toBe(0);
    expect(rates.countAny("a", 1_000)).toBe(999);
  });

  test("containers of long ago are forgotten", () => {
    const rates = new Rates(small);
    for (let id = 0; id < 1_000; id++) rates.countAny(`c${id}`, 0);
    expect(rates.size).toBe(1_000);
    rates.take("busy", "ruleRequests", 4_999);
    rates.countAny("new", 5_000);
    expect(rates.size).toBe(2);
  });
});
