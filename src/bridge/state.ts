// Whether the bridge exists and is up, as the kernel says (S003-FR-033). A measurement is used for a short time only.
import type { Clock } from "../core/clock.ts";
import { findDevice } from "./device.ts";

/** The state of the bridge; `none` if the operator uses no bridge. */
export type BridgeState = "up" | "down" | "missing" | "none";

/** How long a measurement is used, in milliseconds: a bridge that goes down blocks evaluations within this time. */
export const BRIDGE_CACHE_MS = 250;

/** Measures the state of one bridge. */
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

  /** Returns the bridge's state, at most `BRIDGE_CACHE_MS` old. */
  state(): BridgeState {
    if (this.name === null) return "none";
    const nowMs = this.#clock.monotonicMs();
    if (this.#measured === null || nowMs - this.#measured.atMs > BRIDGE_CACHE_MS) {
      this.#measured = { state: this.#measure(this.name), atMs: nowMs };
    }
    return this.#measured.state;
  }

  /** Forgets the measurement, after the bridge was changed. */
  forget(): void {
    this.#measured = null;
  }
}

/** Reads the state of a bridge. A device that is not a bridge counts as missing, one that cannot be read as down. */
export function measureBridge(name: string): BridgeState {
  const device = findDevice(name);
  if (!device.ok) return "down";
  if (device.value === null || !device.value.isBridge) return "missing";
  return device.value.isUp ? "up" : "down";
}
