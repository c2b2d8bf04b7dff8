// Finder -> container source. Identity depends on the order of the steps: the peer's process was pinned at accept, then
// the kernel's evidence is read, then the container is looked up, and last the pinned process is checked again. Every step
// that fails refuses the peer.
import { FairQueue } from "../core/fair-queue.ts";
import { type Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import { isAlive, isUnchanged, type PinnedProcess } from "../peer/pin.ts";
import { rejectPeer } from "../peer/rejection.ts";
import type { Container } from "./container.ts";
import type { ContainerFinder, Found } from "./finder.ts";
import { Instances } from "./instances.ts";
import type { ContainerSource } from "./source.ts";
import { lookupUnavailable } from "./unavailable.ts";

/** Longest look-up, waiting included, in milliseconds; a longer one is given up (503). */
const LOOKUP_TIMEOUT_MS = 5_000;

/**
 * Look-ups at once, and waiting ones. One cgroup has a quarter of the places, so that the others continue when three cgroups
 * hang. As many may wait as there may be connections, and for one cgroup two for each connection that a container may have:
 * one at accept and one for the first request.
 */
export const LOOKUP_LIMITS = { running: 16, runningPerKey: 4, waiting: 1_024, waitingPerKey: 128 } as const;

/** Most processes whose container is remembered; over the limit the oldest entry is removed. */
const REMEMBERED_PROCESSES = 4_096;

type LookUp = (end: AbortSignal) => Promise<Result<Container, Problem>>;
type Remembered = { readonly evidence: string; readonly found: Found };

/** Makes a source that asks this finder. The source owns the finder and closes it. */
export function guardFinder(finder: ContainerFinder, timeoutMs = LOOKUP_TIMEOUT_MS): ContainerSource {
  const guard = new Guard(finder, timeoutMs);
  return {
    kind: finder.kind,
    identify: (peer, signal) => guard.identify(peer, signal),
    status: () => ({ kind: finder.kind, ...finder.status(), containers: guard.instances.size }),
    onGone: (listener) => guard.instances.onGone(listener),
    close: () => guard.close(),
  };
}

class Guard {
  readonly instances = new Instances();
  readonly #finder: ContainerFinder;
  readonly #timeoutMs: number;
  readonly #queue = new FairQueue(LOOKUP_LIMITS);
  readonly #remembered = new Map<string, Remembered>();
  readonly #closed = new AbortController();
  #changes = 0;

  constructor(finder: ContainerFinder, timeoutMs: number) {
    this.#finder = finder;
    this.#timeoutMs = timeoutMs;
    finder.onChange((id) => this.#forget(id));
    this.instances.onGone((container) => this.#forget(container.id));
  }

  async identify(peer: Peer, signal?: AbortSignal): Promise<Result<Container, Problem>> {
    const { process } = peer;
    const evidence = this.#finder.readEvidence(process.pid);
    // Checked after the reading: while the pinned process runs, no other process has its pid, so the evidence is about it.
    if (!isAlive(process)) return err(rejectPeer(process.pid, "process has ended"));
    if (!evidence.ok) return err(rejectPeer(process.pid, evidence.error.message));
    const remembered = this.#recall(process, evidence.value);
    if (remembered !== undefined) return this.#confirm(remembered, process, true);
    return await this.#inTime(evidence.value, (end) => this.#lookUp(process, evidence.value, end), signal);
  }

  close(): void {
    this.#closed.abort();
    this.#finder.close();
    this.instances.close();
    this.#remembered.clear();
  }

  // Waits for a place in the queue and runs the look-up. The time limit covers both, and also ends a look-up whose finder
  // ignores the signal.
  async #inTime(evidence: string, lookUp: LookUp, signal?: AbortSignal): Promise<Result<Container, Problem>> {
    const ends = [this.#closed.signal, AbortSignal.timeout(this.#timeoutMs), ...(signal === undefined ? [] : [signal])];
    const end = AbortSignal.any(ends);
    const turn = this.#queue.run(evidence, () => lookUp(end), end).then((done) => {
      if (done.ok) return done.value;
      return err(lookupUnavailable(done.error === "full" ? "too many look-ups at once" : "look-up was given up"));
    });
    const { promise: over, resolve } = Promise.withResolvers<Result<Container, Problem>>();
    const giveUp = () => resolve(err(lookupUnavailable("look-up was given up", end.reason)));
    end.addEventListener("abort", giveUp, { once: true });
    if (end.aborted) giveUp();
    const result = await Promise.race([over, turn]);
    end.removeEventListener("abort", giveUp);
    return result;
  }

  async #lookUp(process: PinnedProcess, evidence: string, end: AbortSignal): Promise<Result<Container, Problem>> {
    if (end.aborted) return err(lookupUnavailable("look-up was given up", end.reason));
    // Another connection of the same process may have been looked up meanwhile.
    const remembered = this.#recall(process, evidence);
    if (remembered !== undefined) return this.#confirm(remembered, process, isUnchanged(process));
    const changes = this.#changes;
    const found = await this.#finder.find(process.pid, evidence, end);
    if (!found.ok) return found;
    const container = this.#confirm(found.value, process, isUnchanged(process));
    // A change during the look-up may have come after the finder read its answer.
    const isCurrent = this.#finder.isCurrent() && this.#changes === changes;
    if (container.ok && isCurrent) this.#remember(process, { evidence, found: found.value });
    return container;
  }

  // The last step: the peer's process and the container's first process are still the same.
  #confirm(found: Found, process: PinnedProcess, isSame: boolean): Result<Container, Problem> {
    if (this.#closed.signal.aborted) return err(lookupUnavailable("source is closed"));
    if (!isSame) return err(rejectPeer(process.pid, "process ended during the look-up"));
    if (!this.instances.stillRuns(found)) return err(rejectPeer(process.pid, "container has ended"));
    return this.instances.keep(found) ? ok(found.container) : err(lookupUnavailable("too many containers"));
  }

  #recall(process: PinnedProcess, evidence: string): Found | undefined {
    const remembered = this.#remembered.get(keyOf(process));
    return remembered?.evidence === evidence && this.#finder.isCurrent() ? remembered.found : undefined;
  }

  #remember(process: PinnedProcess, remembered: Remembered): void {
    const key = keyOf(process);
    this.#remembered.delete(key);
    this.#remembered.set(key, remembered);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED_PROCESSES && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #forget(id: string | null): void {
    this.#changes++;
    for (const [key, { found }] of this.#remembered) {
      if (id === null || found.container.id === id) this.#remembered.delete(key);
    }
    this.instances.sweep(id ?? undefined);
  }
}

function keyOf(process: PinnedProcess): string {
  return `${process.pid}:${process.startTime}`;
}
