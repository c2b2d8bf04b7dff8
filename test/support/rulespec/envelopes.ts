// Envelopes of a daemon with a state directory of its own and a clock that the test sets. Jobs are the real ones, but
// run at once instead of in a thread.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Container } from "../../../src/container/container.ts";
import { doEnvelopeJob } from "../../../src/envelope/envelope-work.ts";
import type { RulespecSource } from "../../../src/envelope/rulespec-source.ts";
import { Envelopes } from "../../../src/envelope/envelopes.ts";
import { containerOf } from "../socket/app-bench.ts";

/** The times of the test's clock in milliseconds. */
export type Hands = { wallMs: number; monotonicMs: number };

/** A state directory, a directory of rulespecs, and the envelopes of the daemons that are started on them. */
export class EnvelopeBench {
  readonly dir = mkdtempSync(join(tmpdir(), "outcall-envelopes-"));
  readonly stateDir = join(this.dir, "state");
  readonly specs = join(this.dir, "specs");
  readonly clock: Hands = { wallMs: Date.parse("2026-11-21T12:00:00Z"), monotonicMs: 1_000 };

  constructor() {
    for (const path of [this.stateDir, this.specs]) mkdirSync(path, { mode: 0o700 });
  }

  /** Writes a rulespec. */
  writeSpec(name: string, text: string): void {
    writeFileSync(join(this.specs, name), text, { mode: 0o600 });
  }

  /** The envelopes of a daemon that starts now. */
  start(source: RulespecSource = { kind: "dir", path: this.specs }, key = new Uint8Array(32)): Envelopes {
    const { stateDir, clock } = this;
    const data = { stateDir, source, key };
    return new Envelopes({
      thread: { run: (job) => Promise.resolve(doEnvelopeJob(data, job, new Date(clock.wallMs))) },
      source,
      stateDir,
      clock: { now: () => new Date(clock.wallMs), monotonicMs: () => clock.monotonicMs },
    });
  }

  /** Removes everything. */
  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A container with an id, a name and an instance number. */
export function containerIn(id: string, instance = 1, name = `name-${id}`): Container {
  return { ...containerOf(id), name, instance: `${id}:${instance}` };
}
