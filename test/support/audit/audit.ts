// A decision log in memory, for tests that need one and for tests that look at its entries.
import { type AuditLog, UNAVAILABLE } from "../../../src/audit/decision-log.ts";
import type { Entry } from "../../../src/audit/entry.ts";
import type { Problem } from "../../../src/core/problem.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";

/** A log and its entries; nothing is written while the log is unavailable. */
export type MemoryAudit = { readonly audit: AuditLog; readonly kept: readonly Entry[]; isAvailable: boolean };

/** Makes a log in memory. */
export function memoryAudit(): MemoryAudit {
  const kept: Entry[] = [];
  const keep = (entry: Entry): Result<null, Problem> => {
    if (!memory.isAvailable) return err(UNAVAILABLE);
    kept.push(entry);
    return ok(null);
  };
  const audit: AuditLog = {
    get isAvailable() {
      return memory.isAvailable;
    },
    append: (entry) => {
      const done = keep(entry);
      return Promise.resolve(done.ok ? ok(kept.length) : done);
    },
    queue: keep,
  };
  const memory: MemoryAudit = { audit, kept, isAvailable: true };
  return memory;
}
