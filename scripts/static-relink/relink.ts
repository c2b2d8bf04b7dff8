// A finished output of `bun build --compile` -> the same program as one static file. Bun has no static runtime for
// glibc, and its musl runtime needs a libstdc++ that images do not have. So the work of the dynamic linker is done here,
// once: the program's relocations are bound to a static libc, which travels in the same file.
//
//   program.ts     what the dynamic linker would do to the program
//   tables.ts      that, as assembly
//   libc-image.ts  libc, our C files and the tables, linked at a fixed address
//   join.ts        program and image in one file
//
// What the result cannot do: load addons or libraries (FFI reaches libc alone), look up users and hosts by anything but
// files and DNS. It needs /proc, as Bun does. It must not be stripped: Bun finds its payload by its place in the file.
import { chmodSync, closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { readElf } from "./elf.ts";
import { joinFiles } from "./join.ts";
import { linkLibcImage } from "./libc-image.ts";
import { readProgram } from "./program.ts";
import type { Start } from "./start.ts";

/** What to relink. */
export type RelinkOptions = {
  readonly input: string;
  readonly output: string;
  /** Functions of libc that the program calls by FFI, beside those whose names stand in Bun itself. */
  readonly names: readonly string[];
  readonly start: Start;
  /** In pieces of how many bytes the output is written; all at once unless said. */
  readonly pieceBytes?: number;
};

/** Writes the static program; the same input and toolchain give the same bytes. */
export function relink({ input, output, names, start, pieceBytes }: RelinkOptions): void {
  const program = readProgram(readElf(readFileSync(input)));
  const image = linkLibcImage(program, { names, start });
  writePieces(output, joinFiles(program, image), pieceBytes);
  chmodSync(output, 0o755);
}

function writePieces(path: string, bytes: Uint8Array, pieceBytes = bytes.length): void {
  const file = openSync(path, "w");
  try {
    for (let from = 0; from < bytes.length;) {
      from += writeSync(file, bytes, from, Math.min(pieceBytes, bytes.length - from));
    }
  } finally {
    closeSync(file);
  }
}
