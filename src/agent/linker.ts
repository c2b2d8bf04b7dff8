// Whether a compiled program is static. The start code of ours gives the next program the environment byte for byte, whatever
// is passed through the runtime (scripts/static-relink/handover.c), so nothing in it needs to be refused.
import { readFileSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";

/** `AT_BASE` of getauxval(3): where the dynamic linker was loaded, or 0 in a program that has none. */
const LINKER_ADDRESS = 7n;

/** Two words of 64 bits: a type and its value. */
const ENTRY_SIZE = 16;

/** Whether no dynamic linker started this process. */
export function hasNoLinker(): Result<boolean, Problem> {
  try {
    return ok(saysNoLinker(readFileSync("/proc/self/auxv")));
  } catch (cause) {
    return err(problem("agent.program", "/proc/self/auxv cannot be read", { cause }));
  }
}

/** Whether an auxiliary vector says that there is no dynamic linker; one that says nothing of it does not. */
export function saysNoLinker(vector: Uint8Array): boolean {
  const words = new DataView(vector.buffer, vector.byteOffset, vector.byteLength);
  for (let at = 0; at + ENTRY_SIZE <= vector.byteLength; at += ENTRY_SIZE) {
    if (words.getBigUint64(at, true) === LINKER_ADDRESS) return words.getBigUint64(at + 8, true) === 0n;
  }
  return false;
}
