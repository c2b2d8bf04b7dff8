// Whether a compiled program is static. The start code of a static shim passes the environment to the next program byte for
// byte (scripts/static-relink/handover.c), so no environment has to be refused.
import { readFileSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";

/** `AT_BASE` of getauxval(3): the address of the dynamic linker, or 0 in a static program. */
const LINKER_ADDRESS = 7n;

/** An entry has two words of 64 bits: a type and its value. */
const ENTRY_SIZE = 16;

/** Whether this process was started without a dynamic linker. */
export function hasNoLinker(): Result<boolean, Problem> {
  try {
    return ok(saysNoLinker(readFileSync("/proc/self/auxv")));
  } catch (cause) {
    return err(problem("agent.program", "/proc/self/auxv cannot be read", { cause }));
  }
}

/** Whether an auxiliary vector says that there is no dynamic linker; false if it has no such entry. */
export function saysNoLinker(vector: Uint8Array): boolean {
  const words = new DataView(vector.buffer, vector.byteOffset, vector.byteLength);
  for (let at = 0; at + ENTRY_SIZE <= vector.byteLength; at += ENTRY_SIZE) {
    if (words.getBigUint64(at, true) === LINKER_ADDRESS) return words.getBigUint64(at + 8, true) === 0n;
  }
  return false;
}
