// Whether the bridge exists and is up, measured from /sys/class/net (S003-FR-033). A measurement is kept for a moment only.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";

/** What is known of the bridge; `none` where the operator asked for no bridge. */
export type BridgeState = "up" | "down" | "missing" | "none";

/** How long a measurement may be used, in milliseconds (rule-engine.md 9). */
export const BRIDGE_CACHE_MS = 250;

/** The flag of a device that is administratively up (netdevice(7), IFF_UP). */
const IFF_UP = 0x1;

/** Measures one bridge, or none. */
export class BridgeProbe {
  readonly name: string | null;
  readonly #clock: Clock;
  readonly #root: string;
  #measured: { readonly state: BridgeState; readonly atMs: number } | null = null;

  constructor(name: string | null, clock: Clock, root = "/sys/class/net") {
    this.name = name;
    this.#clock = clock;
    this.#root = root;
  }

  /** The bridge's state, at most `BRIDGE_CACHE_MS` old. */
  state(): BridgeState {
    if (this.name === null) return "none";
    const nowMs = this.#clock.monotonicMs();
    if (this.#measured === null || nowMs - this.#measured.atMs > BRIDGE_CACHE_MS) {
      this.#measured = { state: measure(join(this.#root, this.name)), atMs: nowMs };
    }
    return this.#measured.state;
  }
}

// A device that is no bridge counts as missing; one that cannot be read counts as down.
function measure(device: string): BridgeState {
  if (!existsSync(join(device, "bridge"))) return "missing";
  try {
    const flags = Number(readFileSync(join(device, "flags"), "utf8").trim());
    return (flags & IFF_UP) === IFF_UP ? "up" : "down";
  } catch {
    return "down";
  }
}
