// The bridge that evaluation asks for.
import { measureBridge } from "../bridge/state.ts";
import { quote } from "../core/quote.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";

/** Measures the bridge; `none`: none is asked for. A daemon that is not there yet makes one that is missing. */
export function checkBridge(bridge: string, isRunning: boolean): Check {
  const name = "bridge";
  if (bridge === "none") return fine(name, "none is asked for (--bridge none)");
  const state = measureBridge(bridge);
  const found = `${quote(bridge)} is ${state}`;
  if (state === "up") return fine(name, found);
  const remedy = "outcall bridge up";
  if (isRunning || state === "down") return failed(name, found, isRunning ? remedy : `start outcalld, then ${remedy}`);
  return doubtful(name, found, "start outcalld with CAP_NET_ADMIN, which makes it, or run it with --bridge none");
}
