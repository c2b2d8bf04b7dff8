// The time that rules are evaluated at: setting the clock back does not bring back an expired rule.
import { describe, expect, test } from "bun:test";
import { BridgeProbe } from "../../src/bridge/state.ts";
import { systemClock } from "../../src/core/clock.ts";
import { FairQueue } from "../../src/core/fair-queue.ts";
import { createCounts } from "../../src/decision/counts.ts";
import { decide, EVALUATION_LIMITS } from "../../src/decision/decide.ts";
import { CLOCK_TOLERANCE_MS, RuleTime } from "../../src/decision/rule-time.ts";
import { LiveRules } from "../../src/reload/live-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { memoryAudit } from "../support/audit/audit.ts";

const END_MS = Date.UTC(2026, 11, 31, 18);

function turnedClock(startMs: number) {
  let ms = startMs;
  return { clock: { ...systemClock, now: () => new Date(ms) }, turn: (toMs: number) => void (ms = toMs) };
}

describe("RuleTime", () => {
  test("is the clock's time while the clock advances, or goes back by no more than the tolerance", () => {
    const { clock, turn } = turnedClock(5_000_000);
    const time = new RuleTime(clock);
    for (const ms of [5_000_000, 5_000_001, 9_000_000, 9_000_000 - CLOCK_TOLERANCE_MS, 9_000_001]) {
      turn(ms);
      expect(time.read()).toEqual({ at: new Date(ms), nowMs: ms });
      expect(time.behindSeconds).toBeNull();
    }
  });

  test("is after every end while the clock is further behind, and says by how much", () => {
    const { clock, turn } = turnedClock(9_000_000);
    const time = new RuleTime(clock);
    time.read();
    const behindMs = 9_000_000 - CLOCK_TOLERANCE_MS - 1;
    turn(behindMs);
    expect(time.read()).toEqual({ at: new Date(behindMs), nowMs: Infinity });
    expect(time.behindSeconds).toBe(60);
    turn(9_000_000 - CLOCK_TOLERANCE_MS);
    expect(time.read().nowMs).toBe(9_000_000 - CLOCK_TOLERANCE_MS);
    expect(time.behindSeconds).toBeNull();
  });

  test("knows the latest time of an earlier daemon", () => {
    const { clock } = turnedClock(1_000);
    expect(new RuleTime(clock, 1_000 + CLOCK_TOLERANCE_MS + 1).read().nowMs).toBe(Infinity);
    expect(new RuleTime(clock, 1_000 + CLOCK_TOLERANCE_MS).read().nowMs).toBe(1_000);
    expect(new RuleTime(clock, null).read().nowMs).toBe(1_000);
  });
});

test("decide: an allow ends at its time, stays over when the clock is set back, and the record has the time of the reading", async () => {
  const text = `version: "1"
rules:
  - {id: ending, condition: target == "x", action: allow, expires: 2026-12-31T18:00:00Z}
`;
  const { set } = loadRuleFiles([{ name: "a.yaml", text }], { nowMs: 0 });
  if (set === null) throw new Error("the rules do not load");
  const { clock, turn } = turnedClock(END_MS - 1);
  const { audit, kept } = memoryAudit();
  const quiet = () => undefined;
  const deps = {
    rules: new LiveRules({ set, loadedAt: new Date(0) }),
    bridge: new BridgeProbe(null, systemClock),
    runHook: () => Promise.reject(new Error("there are no hooks")),
    turns: new FairQueue(EVALUATION_LIMITS),
    clock,
    ruleTime: new RuleTime(clock),
    counts: createCounts(),
    audit,
    log: { debug: quiet, info: quiet, warning: quiet, error: quiet },
  };
  const decided: unknown[] = [];
  for (const ms of [END_MS - 1, END_MS, END_MS - CLOCK_TOLERANCE_MS - 1]) {
    turn(ms);
    const requester = { source: "agent", container: "c1" } as const;
    const question = { context: { target: "x" }, rawTarget: "x", requester, limit: { limitMs: 1_000 } };
    const { outcome } = await decide(question, deps);
    decided.push(outcome.ok ? outcome.value.decision.decision : outcome.error);
    expect(kept.at(-1)?.at).toEqual(new Date(ms));
  }
  expect(decided).toEqual(["allow", "block", "block"]);
});
