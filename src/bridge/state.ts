// Whether the bridge exists and is up, as the kernel says (S003-FR-033). A measurement is kept for a moment only.
import type { Clock } from "../core/clock.ts";
import { findDevice } from "./device.ts";

/** What is known of the bridge; `none` where the operator asked for no bridge. */
export type BridgeState = "up" | "down" | "missing" | "none";

/** How long a measurement may be used, in milliseconds (rule-engine.md 9). */
export const BRIDGE_CACHE_MS = 250;

/** Measures one bridge, or none. */
export class BridgeProbe {
  readonly name: string | null;
  readonly #clock: Clock;
  readonly #measure: (name: string) => BridgeState;
  #measured: { readonly state: BridgeState; readonly atMs: number } | null = null;

  constructor(name: string | null, clock: Clock, measure: (name: string) => BridgeState = measureBridge) {
    this.name = name;
    this.#clock = clock;
    this.#measure = measure;
  }

  /** The bridge's state, at most `BRIDGE_CACHE_MS` old. */
  state(): BridgeState {
    if (this.name === null) return "none";
    const nowMs = this.#clock.monotonicMs();
    if (this.#measured === null || nowMs - this.#measured.atMs > BRIDGE_CACHE_MS) {
      this.#measured = { state: this.#measure(this.name), atMs: nowMs };
    }
    return this.#measured.state;
  }

  /** Forgets the measurement, for whoever has just changed something. */
  forget(): void {
    this.#measured = null;
  }
}

/** The state of a bridge now; a device that is no bridge counts as missing, one that cannot be looked at as down. */
export function measureBridge(name: string): BridgeState {
  const device = findDevice(name);
  if (!device.ok) return "down";
  if (device.value === null || !device.value.isBridge) return "missing";
  return device.value.isUp ? "up" : "down";
}
