// The bridge's state, from a made-up /sys/class/net and a clock that the test turns.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BRIDGE_CACHE_MS, BridgeProbe, type BridgeState } from "../../src/bridge/state.ts";

let root = mkdtempSync(join(tmpdir(), "outcall-net-"));
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  root = mkdtempSync(join(tmpdir(), "outcall-net-"));
});

function device(name: string, flags: string | null, isBridge = true): void {
  mkdirSync(join(root, name, isBridge ? "bridge" : "queues"), { recursive: true });
  if (flags !== null) writeFileSync(join(root, name, "flags"), `${flags}\n`);
}

function probe(name: string | null, time = { ms: 0 }): BridgeProbe {
  return new BridgeProbe(name, { now: () => new Date(0), monotonicMs: () => time.ms }, root);
}

describe("BridgeProbe", () => {
  const cases: readonly { note: string; make: () => void; state: BridgeState }[] = [
    { note: "no such device", make: () => {}, state: "missing" },
    { note: "up", make: () => device("br", "0x1003"), state: "up" },
    { note: "down", make: () => device("br", "0x1002"), state: "down" },
    { note: "up, and no bridge", make: () => device("br", "0x1003", false), state: "missing" },
    { note: "flags that cannot be read", make: () => device("br", null), state: "down" },
    { note: "flags that are none", make: () => device("br", "up"), state: "down" },
    { note: "no flags", make: () => device("br", ""), state: "down" },
  ];
  for (const { note, make, state } of cases) {
    test(`${note}: ${state}`, () => {
      make();
      expect(probe("br").state()).toBe(state);
    });
  }

  test("none is asked for", () => expect(probe(null).state()).toBe("none"));

  test("a measurement is used for a quarter of a second and no longer", () => {
    const time = { ms: 1_000 };
    device("br", "0x1");
    const bridge = probe("br", time);
    expect(bridge.state()).toBe("up");
    writeFileSync(join(root, "br", "flags"), "0x0\n");
    time.ms += BRIDGE_CACHE_MS;
    expect(bridge.state()).toBe("up");
    time.ms += 0.001;
    expect(bridge.state()).toBe("down");
    expect(BRIDGE_CACHE_MS).toBe(250);
  });
});
