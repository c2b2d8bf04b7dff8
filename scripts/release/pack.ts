// A directory -> its archive, the same bytes whenever and by whomever it is made: sorted names, one date, no owner.
// Another version of gzip may compress to other bytes; what is inside stays the same.
import { createHash } from "node:crypto";
import { createReadStream, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../static-relink/toolchain.ts";

/** What is packed. */
export type PackOptions = {
  /** The directory that holds the one to pack, and gets the archive. */
  readonly parent: string;
  /** The directory to pack; the archive has its name. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly date: number;
  /** How hard gzip tries, from 1 to 9. */
  readonly level: number;
};

/** Packs the directory and gives the archive's name. */
export function pack({ parent, name, date, level }: PackOptions): string {
  const archive = `${name}.tar.gz`;
  runTool("tar", [
    ...["--create", `--file=${join(parent, archive)}`, `--use-compress-program=gzip --no-name -${level}`],
    ...[`--directory=${parent}`, "--dereference", "--hard-dereference", "--format=ustar", "--sort=name"],
    ...[`--mtime=@${date}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", name],
  ]);
  return archive;
}

/** Writes the checksums of these files beside them. */
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
