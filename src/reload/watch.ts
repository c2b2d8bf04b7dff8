// Watches the rules directory (S003-FR-022). Kernel notifications make the watch fast, and a look once a second makes it
// reliable: there is no notification when the directory is swapped, removed, renamed or mounted over, and some file systems
// send none at all.
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { isMissing, systemCodeOf } from "../core/thrown.ts";
import { type Fingerprint, fingerprintOf } from "../rule/fingerprint.ts";
import type { Log } from "../log/logger.ts";
import { QUIET_MS } from "./load-directory.ts";

/** The interval of checks without a notification, in milliseconds. */
const LOOK_MS = 1_000;

/** The options of a watch. */
export type WatchOptions = {
  readonly dir: string;
  /** Called with the directory's fingerprint after a change, once nothing has changed for `QUIET_MS`. */
  readonly onQuiet: (fingerprint: Fingerprint) => void;
  readonly log: Log;
  readonly reportBug: (cause: unknown) => void;
};

/** A watch on a rules directory, until it is closed. */
export class RulesWatch {
  readonly #options: WatchOptions;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #watchers: readonly FSWatcher[] = [];
  #seen: Fingerprint;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #hasWarned = false;

  /** Begins to watch. A difference from the fingerprint `seen` counts as a change. */
  constructor(options: WatchOptions, seen: Fingerprint) {
    this.#options = options;
    this.#seen = seen;
    this.#listen();
    this.#do(() => this.#look());
  }

  /** Ends the watch. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#looking);
    clearTimeout(this.#quiet);
    for (const watcher of this.#watchers) watcher.close();
  }

  // Watches the directory for changes of its files, and its parent for changes of the directory itself.
  #listen(): void {
    for (const watcher of this.#watchers) watcher.close();
    const { dir } = this.#options;
    const own = basename(dir);
    this.#watchers = [
      this.#watch(dir, () => true),
      this.#watch(dirname(dir), (name) => name === null || name === own),
    ].flat();
  }

  #watch(path: string, concerns: (name: string | null) => boolean): readonly FSWatcher[] {
    try {
      const watcher = watch(path, { persistent: false }, (_kind, name) => {
        if (concerns(name)) this.#note();
      });
      watcher.on("error", (cause) => this.#fallBack(cause));
      return [watcher];
    } catch (cause) {
      this.#fallBack(cause);
      return [];
    }
  }

  #fallBack(cause: unknown): void {
    const { dir, log } = this.#options;
    // A missing directory is not a failure of notifications. The regular check sees it when it is back.
    if (this.#hasWarned || this.#isClosed || isMissing(cause)) return;
    this.#hasWarned = true;
    const code = systemCodeOf(cause) ?? String(cause);
    log.warning("rules.watch-polls", {
      dir,
      reason: `the kernel sends no notifications of changes (${code}), so the directory is checked every ${LOOK_MS} ms`,
    });
  }

  // Something may have changed: the quiet time starts again.
  #note(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#do(() => this.#settle()), QUIET_MS);
  }

  async #look(): Promise<void> {
    if (await this.#hasChanged()) this.#note();
    if (!this.#isClosed) this.#looking = setTimeout(() => this.#do(() => this.#look()), LOOK_MS);
  }

  async #settle(): Promise<void> {
    if (await this.#hasChanged()) this.#note();
    else if (!this.#isClosed) this.#options.onQuiet(this.#seen);
  }

  async #hasChanged(): Promise<boolean> {
    const now = await fingerprintOf(this.#options.dir);
    const before = this.#seen;
    this.#seen = now;
    if (this.#isClosed || now.text === before.text) return false;
    // The path may lead to another directory now, which has to be watched itself.
    this.#listen();
    return true;
  }

  #do(work: () => Promise<void>): void {
    work().catch(this.#options.reportBug);
  }
}
