// An executable from `bun build --compile` -> the same program as one static file. Bun has no static runtime for glibc,
// and its musl runtime needs a libstdc++ that many images do not have. So the work of the dynamic linker is done at
// build time: the program's relocations are bound to a static libc, which is included in the same file.
//
//   program.ts     reads what the dynamic linker would do to the program
//   tables.ts      writes that as assembly
//   libc-image.ts  links libc, our C files and the tables at a fixed address
//   join.ts        puts program and image into one file
//
// Limits of the result: it cannot load addons or libraries (FFI reaches libc only), and it looks up users and hosts in
// files and DNS only. It needs /proc, like Bun itself. It must not be stripped, because Bun finds its payload by its
// offset in the file.
import { chmodSync, closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { readElf } from "./elf.ts";
import { joinFiles } from "./join.ts";
import { linkLibcImage } from "./libc-image.ts";
import { readProgram } from "./program.ts";
import type { Start } from "./start.ts";

/** The options of a relink. */
export type RelinkOptions = {
  readonly input: string;
  readonly output: string;
  /** Functions of libc that the program calls by FFI, in addition to those whose names are strings in Bun itself. */
  readonly names: readonly string[];
  readonly start: Start;
  /** The size of each write of the output, in bytes; one write if not set. */
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
