// The parts of a rules directory, read and parsed by this thread or by a worker. With a worker, the serving thread neither
// waits for a disk nor parses.
import type { MessagePort } from "node:worker_threads";
import type { URL } from "node:url";
import { invariant } from "../core/invariant.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { messageOf } from "../core/thrown.ts";
import { fingerprintOf } from "../rule/fingerprint.ts";
import type { DirectoryOptions } from "../rule/load-rules.ts";
import { type DirectoryPart, parseDirectory } from "../rule/parse-directory.ts";
import { serveJobs } from "../thread/serve-jobs.ts";
import { Thread } from "../thread/thread.ts";

/** The task of a thread that parses a rules directory. */
export type RulesTask = { readonly kind: "rules"; readonly options: DirectoryOptions };

/** How long a thread may take for one part, in milliseconds: a disk that does not answer ends one reload, not all of them. */
const PART_MS = 60_000;

/** The parts of a directory. `program` is the entry of the worker that reads them; with null, this thread reads them. */
export async function* partsOf(
  options: DirectoryOptions,
  program: URL | null,
): AsyncGenerator<DirectoryPart, undefined> {
  try {
    yield* program === null ? parseDirectory(options) : partsFromThread(options, program);
  } catch (cause) {
    yield await refuse(options.dir, messageOf(cause));
  }
}

/** Sends the parts of a directory to the thread that started this one, one part for each request. */
export function serveParts(port: MessagePort, options: DirectoryOptions): void {
  const parts = parseDirectory(options);
  serveJobs(port, async (): Promise<DirectoryPart> => {
    const next = await parts.next();
    invariant(next.done !== true, "no part is asked for after the last one");
    return next.value;
  });
}

async function* partsFromThread(options: DirectoryOptions, program: URL): AsyncGenerator<DirectoryPart, undefined> {
  const task: RulesTask = { kind: "rules", options };
  const thread = new Thread<null, DirectoryPart>({ program, task, jobMs: PART_MS }, () => {});
  try {
    // The thread parses one part while the one before is used.
    for (let next = thread.run(null);;) {
      const part = await next;
      if (!part.ok) {
        const { kind } = part.error;
        yield await refuse(
          options.dir,
          kind === "failed" ? part.error.reason : `a part took over ${PART_MS / 1_000} s`,
        );
        return;
      }
      if (part.value.kind === "document") next = thread.run(null);
      yield part.value;
      if (part.value.kind !== "document") return;
    }
  } finally {
    await thread.end("its work is done");
  }
}

// The last part of a directory that cannot be read.
async function refuse(dir: string, reason: string): Promise<DirectoryPart> {
  const message = `cannot read rules directory ${quote(dir)}: ${quote(reason)}`;
  const finding = { code: "rule.file", severity: "error", message, place: placeAt(dir) } as const;
  return { kind: "refused", finding, fingerprint: await fingerprintOf(dir) };
}
