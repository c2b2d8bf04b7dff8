// The load of a start: nobody is served yet, so a small directory is read and parsed by the thread that starts. A thread of
// its own would leave memory behind that no later work needs, and take longer to start than the parsing takes.
import { messageOf } from "../core/thrown.ts";
import { type DirectoryPart, parseDirectory } from "../rule/parse-directory.ts";
import { fingerprintOf } from "../rule/fingerprint.ts";
import { compileAsUsual } from "./engine.ts";
import { loadAside, type LoadAsideOptions } from "../reload/load-aside.ts";
import { type LoadedRules, refusePart, TakenParts } from "../reload/take-parts.ts";

/** Rule files of more bytes together are worth a thread and compiled code: some hundred rules, parsed in a tenth of a second. */
export const SMALL_BYTES = 64 * 1024;

/** Loads and analyses a rules directory before anything is served. */
export async function loadFirst(options: LoadAsideOptions): Promise<LoadedRules> {
  const { sizeBytes } = await fingerprintOf(options.dir);
  if (sizeBytes > SMALL_BYTES) {
    compileAsUsual();
    return await loadAside(options);
  }
  // What a check throws is thrown by the compilation, which waits for it.
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
