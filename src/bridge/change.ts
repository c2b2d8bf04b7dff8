// Makes the bridge, brings it up and takes it down. Each call may be repeated: a state that is already reached is not an error.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { createBridge, findDevice, switchDevice } from "./device.ts";

/** Brings the bridge up; makes it first if it does not exist. */
export function bringUp(name: string): Result<null, Problem> {
  const found = findBridge(name);
  if (!found.ok) return found;
  if (found.value === "up") return ok(null);
  const made = found.value === "missing" ? createBridge(name) : ok(null);
  return made.ok ? switchDevice(name, "up") : made;
}

/** Takes the bridge down. The device and its ports stay. */
export function takeDown(name: string): Result<null, Problem> {
  const found = findBridge(name);
  if (!found.ok) return found;
  return found.value === "up" ? switchDevice(name, "down") : ok(null);
}

/** Makes the bridge and brings it up if it does not exist. An existing bridge stays down if an operator took it down. */
export function makeWhereMissing(name: string): Result<"made" | "found", Problem> {
  const found = findBridge(name);
  if (!found.ok) return found;
  if (found.value !== "missing") return ok("found");
  const made = bringUp(name);
  return made.ok ? ok("made") : made;
}

function findBridge(name: string): Result<"up" | "down" | "missing", Problem> {
  const device = findDevice(name);
  if (!device.ok) return device;
  if (device.value === null) return ok("missing");
  if (!device.value.isBridge) return err(problem("bridge.conflict", `device ${quote(name)} is not a bridge`));
  return ok(device.value.isUp ? "up" : "down");
}
