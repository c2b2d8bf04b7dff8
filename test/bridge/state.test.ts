// The state of the bridge over time, measured by the test and by the kernel.
import { expect, test } from "bun:test";
import { BRIDGE_CACHE_MS, BridgeProbe, type BridgeState, measureBridge } from "../../src/bridge/state.ts";

function probe(name: string | null, states: readonly BridgeState[], time = { ms: 0 }): BridgeProbe {
  let measured = 0;
  const clock = { now: () => new Date(0), monotonicMs: () => time.ms };
  return new BridgeProbe(name, clock, () => states[measured++] ?? "missing");
}

test("none is asked for: nothing is measured", () => expect(probe(null, ["up"]).state()).toBe("none"));

test("a measurement is used for a quarter of a second and no longer", () => {
  const time = { ms: 1_000 };
  const bridge = probe("br", ["up", "down"], time);
  expect(bridge.state()).toBe("up");
  time.ms += BRIDGE_CACHE_MS;
  expect(bridge.state()).toBe("up");
  time.ms += 0.001;
  expect(bridge.state()).toBe("down");
  expect(BRIDGE_CACHE_MS).toBe(250);
});

test("what is forgotten is measured again", () => {
  const bridge = probe("br", ["up", "down"]);
  expect(bridge.state()).toBe("up");
  bridge.forget();
  expect(bridge.state()).toBe("down");
});

test("measureBridge: no such device, and a device that is no bridge", () => {
  expect(measureBridge("nope-outcall")).toBe("missing");
  expect(measureBridge("lo")).toBe("missing");
});
