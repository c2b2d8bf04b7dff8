// The first load of the rules. Nothing is served yet, so the main thread may parse: for a small directory that takes less time
// and memory than starting a worker.
import { messageOf } from "../core/thrown.ts";
import { type DirectoryPart, parseDirectory } from "../rule/parse-directory.ts";
import { fingerprintOf } from "../rule/fingerprint.ts";
import { compileAsUsual } from "./engine.ts";
import { loadAside, type LoadAsideOptions } from "../reload/load-aside.ts";
import { type LoadedRules, refusePart, TakenParts } from "../reload/take-parts.ts";

/** Above this total size of rule files, a worker with compiled code is faster: some hundred rules. */
export const SMALL_BYTES = 64 * 1024;

/** Loads and analyses a rules directory before anything is served. */
export async function loadFirst(options: LoadAsideOptions): Promise<LoadedRules> {
  const { sizeBytes } = await fingerprintOf(options.dir);
  if (sizeBytes > SMALL_BYTES) {
    compileAsUsual();
    return await loadAside(options);
  }
  // An error that a check throws is thrown again by `compile`, which awaits it.
  const taken = new TakenParts(() => {});
  const parts = parseDirectory({ dir: options.dir, trust: "owner" });
  for (;;) {
    const part = await nextOf(parts, options.dir);
    if (part.kind !== "document") return await taken.compile(part, options);
    taken.take(part);
  }
}

async function nextOf(parts: AsyncGenerator<DirectoryPart, undefined>, dir: string): Promise<DirectoryPart> {
  try {
    const { value } = await parts.next();
    return value ?? await refusePart(dir, "its reader ended");
  } catch (cause) {
    return await refusePart(dir, messageOf(cause));
  }
}
