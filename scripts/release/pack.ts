// A directory -> its archive, with sorted names, one date and no owner. The same files give the same bytes at any time
// and for any user; another version of gzip may compress to other bytes, with the same contents.
import { createHash } from "node:crypto";
import { createReadStream, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../static-relink/toolchain.ts";

/** What to pack, and how. */
export type PackOptions = {
  /** The directory that contains the one to pack, and where the archive is written. */
  readonly parent: string;
  /** The name of the directory to pack; the archive gets the same name. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly date: number;
  /** The gzip level, from 1 to 9. */
  readonly level: number;
};

/** Packs the directory and returns the archive's name. */
export function pack({ parent, name, date, level }: PackOptions): string {
  const archive = `${name}.tar.gz`;
  runTool("tar", [
    ...["--create", `--file=${join(parent, archive)}`, `--use-compress-program=gzip --no-name -${level}`],
    ...[`--directory=${parent}`, "--dereference", "--hard-dereference", "--format=ustar", "--sort=name"],
    ...[`--mtime=@${date}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", name],
  ]);
  return archive;
}

/** Writes SHA256SUMS for these files into their directory. */
export async function writeSums(directory: string, names: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const name of [...names].sort()) lines.push(`${await hashOfFile(join(directory, name))}  ${name}\n`);
  const aside = join(directory, ".SHA256SUMS");
  writeFileSync(aside, lines.join(""));
  renameSync(aside, join(directory, "SHA256SUMS"));
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
