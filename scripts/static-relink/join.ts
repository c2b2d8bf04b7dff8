// Program and libc image -> one static file: the unchanged bytes of the program, then the two segments of the image,
// with a program header table that has no interpreter and no dynamic section. The kernel maps everything, and the
// program's first call arrives in glue.c.
import { fail } from "../failure.ts";
import {
  alignUp,
  dropSections,
  type Elf,
  headerOf,
  loadSegments,
  offsetOf,
  type ProgramHeader,
  SEGMENT,
  writeProgramHeaders,
  writeU64,
} from "./elf.ts";
import { type LibcImage, symbolOf } from "./libc-image.ts";
import type { Program } from "./program.ts";
import { LIBC_TLS_ROOM_BYTES, programTlsSize, SYMBOLS } from "./tables.ts";

/** Joins a program with the image that was linked for it; returns the bytes of the static program. */
export function joinFiles(program: Program, image: LibcImage): Buffer {
  const tls = joinThreadLocals(program, image);
  const pageSize = program.machine.pageSize;
  const parts = placeSegments(image.elf, program.elf.bytes.length, pageSize);
  const output = Buffer.alloc(parts.reduce((end, part) => Math.max(end, alignUp(part.end, pageSize)), 0));
  program.elf.bytes.copy(output);
  for (const { header, offset } of parts) {
    image.elf.bytes.copy(output, offset, header.offset, header.offset + header.fileSize);
  }
  const moved = (header: ProgramHeader): ProgramHeader => ({ ...header, offset: movedOffset(parts, header.address) });
  writeProgramHeaders(output, [
    ...loadSegments(program.elf),
    ...parts.map(({ header, offset }) => ({ ...header, offset, alignment: pageSize })),
    moved(tls),
    moved(headerOf(image.elf, SEGMENT.relro)),
    ...program.elf.headers.filter(({ type }) => type === SEGMENT.stack || type === SEGMENT.note),
  ]);
  const unused = [SEGMENT.interpreter, SEGMENT.dynamic].map((type) => headerOf(program.elf, type).address);
  dropSections(output, new Set(unused));
  writeU64(output, offsetOf(program.elf, program.startSlot, 8), symbolOf(image, SYMBOLS.start));
  return output;
}

/** A segment of the image with its offset in the joined file. */
type Part = { readonly header: ProgramHeader; readonly offset: number; readonly end: number };

// A segment can be mapped only if its address and its file offset are equal modulo the page size.
function placeSegments(elf: Elf, start: number, pageSize: number): readonly Part[] {
  const parts: Part[] = [];
  let free = start;
  for (const header of loadSegments(elf)) {
    const offset = alignUp(free, pageSize) + header.address % pageSize;
    free = offset + header.fileSize;
    parts.push({ header, offset, end: free });
  }
  return parts;
}

function movedOffset(parts: readonly Part[], address: number): number {
  for (const { header, offset } of parts) {
    const distance = address - header.address;
    if (distance >= 0 && distance < header.fileSize) return offset + distance;
  }
  return fail(`address 0x${address.toString(16)} is outside the image of libc`);
}

/**
 * Writes the initial thread-local data of libc and of the program side by side into the image, and returns the program
 * header for both. If the program's block comes last, `lead` bytes of libc come before it. The whole block goes to
 * space that the tables reserve, because the linker reserves none for the program's data.
 */
function joinThreadLocals(program: Program, image: LibcImage): ProgramHeader {
  const { machine, tls: own } = program;
  const libc = headerOf(image.elf, SEGMENT.tls);
  const size = machine.programTlsFirst ? libc.memorySize : alignUp(libc.memorySize, libc.alignment);
  const lead = machine.programTlsFirst ? 0 : size - programTlsSize(program);
  if (symbolOf(image, SYMBOLS.programTls) !== lead) fail("the linker moved the program's thread-local block");
  if (lead > LIBC_TLS_ROOM_BYTES) {
    fail(`libc has ${lead} bytes of thread-local data, but only ${LIBC_TLS_ROOM_BYTES} are reserved`);
  }
  const address = machine.programTlsFirst ? libc.address : symbolOf(image, SYMBOLS.joinedTls);
  const fileSize = machine.programTlsFirst ? libc.fileSize : lead + own.fileSize;
  const offset = offsetOf(image.elf, address, fileSize);
  const { bytes } = image.elf;
  bytes.copy(bytes, offset, libc.offset, libc.offset + libc.fileSize);
  program.elf.bytes.copy(bytes, offset + lead, own.offset, own.offset + own.fileSize);
  return { ...libc, address, fileSize, memorySize: size };
}
