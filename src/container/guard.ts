// Finder -> source: the order that identity depends on. The peer was pinned at accept; what the kernel says of it is
// read, its container looked up, and only then is the pinned process checked again. Nothing here allows: each way out
// but the last is a refusal.
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

/** A look-up that takes longer is given up (503), its waiting included. */
const LOOKUP_TIMEOUT_MS = 5_000;

/** What is asked of an engine at once: in all, enough to keep it busy, and of one place a quarter of that, so that three may hang and the others go on. As many wait as there may be connections; of one place two for each connection that a container may have, at its start and for its first request. */
export const LOOKUP_LIMITS = { running: 16, runningPerKey: 4, waiting: 1_024, waitingPerKey: 128 } as const;

/** Most processes whose container is remembered; the longest known goes first. */
const REMEMBERED_PROCESSES = 4_096;

type LookUp = (end: AbortSignal) => Promise<Result<Container, Problem>>;
type Remembered = { readonly evidence: string; readonly found: Found };

/** A source that asks this finder; the result owns the finder and closes it. */
export function guardFinder(finder: ContainerFinder, timeoutMs = LOOKUP_TIMEOUT_MS): ContainerSource {
  const guard = new Guard(finder, timeoutMs);
  return {
    kind: finder.kind,
    identify: (peer, signal) => guard.identify(peer, signal),
    status: () => ({ kind: finder.kind, ...finder.status(), containers: guard.lives.size }),
    onGone: (listener) => guard.lives.onGone(listener),
    close: () => guard.close(),
  };
}

class Guard {
  readonly lives = new Instances();
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
    this.lives.onGone((container) => this.#forget(container.id));
  }

  async identify(peer: Peer, signal?: AbortSignal): Promise<Result<Container, Problem>> {
    const { process } = peer;
    const evidence = this.#finder.readEvidence(process.pid);
    // Asked after the reading: while the pinned process runs, its pid is nobody else's, so what was read is of it.
    if (!isAlive(process)) return err(rejectPeer(process.pid, "process has ended"));
    if (!evidence.ok) return err(rejectPeer(process.pid, evidence.error.message));
    const remembered = this.#recall(process, evidence.value);
    if (remembered !== undefined) return this.#confirm(remembered, process, true);
    return await this.#inTime(evidence.value, (end) => this.#lookUp(process, evidence.value, end), signal);
  }

  close(): void {
    this.#closed.abort();
    this.#finder.close();
    this.lives.close();
    this.#remembered.clear();
  }

  // Runs a look-up when it is its turn, and within the time limit, waiting included. The limit holds even for a finder
  // that ignores its signal.
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
    // Another connection of the same process may have had its turn in the meantime.
    const remembered = this.#recall(process, evidence);
    if (remembered !== undefined) return this.#confirm(remembered, process, isUnchanged(process));
    const changes = this.#changes;
    const found = await this.#finder.find(process.pid, evidence, end);
    if (!found.ok) return found;
    const container = this.#confirm(found.value, process, isUnchanged(process));
    // What changed during the look-up may have changed after it was asked for.
    const isCurrent = this.#finder.isCurrent() && this.#changes === changes;
    if (container.ok && isCurrent) this.#remember(process, { evidence, found: found.value });
    return container;
  }

  // The last step of every way: the process, and the container's own first process, are still the ones asked about.
  #confirm(found: Found, process: PinnedProcess, isSame: boolean): Result<Container, Problem> {
    if (this.#closed.signal.aborted) return err(lookupUnavailable("source is closed"));
    if (!isSame) return err(rejectPeer(process.pid, "process ended during the look-up"));
    if (!this.lives.goesOn(found)) return err(rejectPeer(process.pid, "container has ended"));
    return this.lives.keep(found) ? ok(found.container) : err(lookupUnavailable("too many containers"));
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
    this.lives.sweep(id ?? undefined);
  }
}

function keyOf(process: PinnedProcess): string {
  return `${process.pid}:${process.startTime}`;
}
