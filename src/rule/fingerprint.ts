// A fingerprint shows whether a rules directory has changed: the inodes, sizes and times of the directory and its rule files.
// Equal fingerprints mean that nothing was written in between, as far as the file system tells.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "../core/thrown.ts";
import { FILES_LIMIT, RULE_FILE_EXTENSION } from "./load-rules.ts";

/** The fingerprint of a rules directory. */
export type Fingerprint = {
  readonly text: string;
  /** The newest change time of the files, in milliseconds since 1970; 0 if there are none. */
  readonly changedMs: number;
  /** The total size of the rule files, in bytes. */
  readonly sizeBytes: number;
  /** The time when the fingerprint was taken, in milliseconds since 1970. */
  readonly takenMs: number;
};

/** Takes the fingerprint of the directory at a path. A file that cannot be read is part of it. */
export async function fingerprintOf(dir: string): Promise<Fingerprint> {
  const takenMs = Date.now();
  const whole = await look(dir);
  const names = await listNames(dir);
  if (typeof names === "string") return { text: `${whole.identity} ${names}`, changedMs: 0, sizeBytes: 0, takenMs };
  const rules = names.filter((name) => name.endsWith(RULE_FILE_EXTENSION)).sort();
  // Directories over the limit do not load; the number of files shows when that changes.
  const files = await Promise.all(
    rules.slice(0, FILES_LIMIT).map(async (name) => {
      return { name, ...await look(join(dir, name)) };
    }),
  );
  const lines = files.map(({ name, identity, times }) => `${JSON.stringify(name)} ${identity} ${times}`);
  const changedMs = Math.max(0, ...files.map((file) => file.changedMs));
  const sizeBytes = files.reduce((total, file) => total + file.sizeBytes, 0);
  return { text: [whole.identity, rules.length, ...lines].join("\n"), changedMs, sizeBytes, takenMs };
}

type Looks = {
  readonly identity: string;
  readonly times: string;
  readonly changedMs: number;
  readonly sizeBytes: number;
};

// Links are followed, because the target is the file that is read.
async function look(path: string): Promise<Looks> {
  try {
    const { dev, ino, mode, uid, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const changedMs = Number(ctimeNs / 1_000_000n);
    return {
      identity: [dev, ino, mode, uid].join(":"),
      times: [size, mtimeNs, ctimeNs].join(":"),
      changedMs,
      sizeBytes: Number(size),
    };
  } catch (cause) {
    return { identity: systemCodeOf(cause) ?? "unknown", times: "", changedMs: 0, sizeBytes: 0 };
  }
}

async function listNames(dir: string): Promise<readonly string[] | string> {
  try {
    return await readdir(dir);
  } catch (cause) {
    return systemCodeOf(cause) ?? "unknown";
  }
}
