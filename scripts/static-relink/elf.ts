// ELF bytes -> program headers and back. Supports only what the relinker needs: 64-bit little-endian executables at
// fixed addresses. Every read is bounds-checked, so a truncated or foreign file gives an error message.
import { fail } from "../failure.ts";

/** Kinds of program headers that a program of `bun build --compile` and an image of libc have. */
export const SEGMENT = {
  load: 1,
  dynamic: 2,
  interpreter: 3,
  note: 4,
  headers: 6,
  tls: 7,
  stack: 0x6474e551,
  relro: 0x6474e552,
} as const;

/** One entry of the program header table; addresses and sizes in bytes. */
export type ProgramHeader = {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly alignment: number;
};

/** An executable: its bytes, its machine number (`EM_...`) and its program headers. */
export type Elf = {
  readonly bytes: Buffer;
  readonly machine: number;
  readonly headers: readonly ProgramHeader[];
};

/** The size of the file header. In the files handled here, the program header table follows directly. */
const FILE_HEADER_SIZE = 64;
const PROGRAM_HEADER_SIZE = 56;
const EXECUTABLE = 2;

/** Reads an executable, or fails with a message that says what is wrong with the file. */
export function readElf(bytes: Buffer): Elf {
  if (bytes.length < 4 || bytes.readUInt32BE(0) !== 0x7f454c46) fail("not an ELF file");
  if (bytes.length < FILE_HEADER_SIZE) fail("ELF file is truncated in its header");
  if (bytes[4] !== 2 || bytes[5] !== 1) fail("not a 64-bit little-endian ELF file");
  if (bytes.readUInt16LE(16) !== EXECUTABLE) fail("not an executable at a fixed address (ET_EXEC)");
  const tableOffset = readU64(bytes, 32);
  const count = bytes.readUInt16LE(56);
  if (tableOffset !== FILE_HEADER_SIZE || bytes.readUInt16LE(54) !== PROGRAM_HEADER_SIZE) {
    fail("the program header table does not follow the file header");
  }
  if (FILE_HEADER_SIZE + count * PROGRAM_HEADER_SIZE > bytes.length) {
    fail("ELF file is truncated in its program headers");
  }
  const headers = Array.from({ length: count }, (_, index) => readProgramHeader(bytes, index));
  for (const header of headers) {
    if (header.offset + header.fileSize > bytes.length) fail("ELF file is truncated in a segment");
  }
  return { bytes, machine: bytes.readUInt16LE(18), headers };
}

function readProgramHeader(bytes: Buffer, index: number): ProgramHeader {
  const start = FILE_HEADER_SIZE + index * PROGRAM_HEADER_SIZE;
  return {
    type: bytes.readUInt32LE(start),
    flags: bytes.readUInt32LE(start + 4),
    offset: readU64(bytes, start + 8),
    address: readU64(bytes, start + 16),
    fileSize: readU64(bytes, start + 32),
    memorySize: readU64(bytes, start + 40),
    alignment: readU64(bytes, start + 48),
  };
}

/**
 * Replaces the program header table in place. The new table may be shorter, because the data behind it does not move.
 */
export function writeProgramHeaders(bytes: Buffer, headers: readonly ProgramHeader[]): void {
  const room = bytes.readUInt16LE(56);
  if (headers.length > room) fail(`no room for ${headers.length} program headers, the file has ${room}`);
  bytes.fill(0, FILE_HEADER_SIZE, FILE_HEADER_SIZE + room * PROGRAM_HEADER_SIZE);
  bytes.writeUInt16LE(headers.length, 56);
  for (const [index, header] of headers.entries()) {
    const start = FILE_HEADER_SIZE + index * PROGRAM_HEADER_SIZE;
    bytes.writeUInt32LE(header.type, start);
    bytes.writeUInt32LE(header.flags, start + 4);
    const { offset, address, fileSize, memorySize, alignment } = header;
    const words = [offset, address, address, fileSize, memorySize, alignment];
    for (const [place, word] of words.entries()) writeU64(bytes, start + 8 + place * 8, word);
  }
}

/**
 * Marks the sections at the given addresses as inactive, so that tools do not show sections that are no longer used.
 */
export function dropSections(bytes: Buffer, addresses: ReadonlySet<number>): void {
  const table = readU64(bytes, 40);
  const size = bytes.readUInt16LE(58);
  const count = bytes.readUInt16LE(60);
  if (table + size * count > bytes.length) fail("ELF file is truncated in its section headers");
  for (let index = 0; index < count; index++) {
    const start = table + index * size;
    if (addresses.has(readU64(bytes, start + 16))) bytes.writeUInt32LE(0, start + 4);
  }
}

/** The segments of a file that are mapped into memory. */
export function loadSegments(elf: Elf): readonly ProgramHeader[] {
  return elf.headers.filter((header) => header.type === SEGMENT.load);
}

/** The only program header of a type, or a failure that names the type. */
export function headerOf(elf: Elf, type: number): ProgramHeader {
  const found = elf.headers.filter((header) => header.type === type);
  const [header] = found;
  if (header === undefined || found.length > 1) {
    return fail(`found ${found.length} program headers of type 0x${type.toString(16)}, wanted 1`);
  }
  return header;
}

/** The file offset of the bytes that are mapped at an address; all `size` bytes must come from the file. */
export function offsetOf(elf: Elf, address: number, size: number): number {
  const segment = loadSegments(elf).find((header) =>
    address >= header.address && address + size <= header.address + header.fileSize
  );
  if (segment === undefined) return fail(`no bytes of the file at address 0x${address.toString(16)}`);
  return address - segment.address + segment.offset;
}

/** Reads an unsigned 64-bit number; valid files have none above 2^53-1. */
export function readU64(bytes: Buffer, offset: number): number {
  if (offset + 8 > bytes.length) fail("ELF file is truncated");
  const value = bytes.readBigUInt64LE(offset);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) fail(`ELF file has a number that is too large: 0x${value.toString(16)}`);
  return Number(value);
}

/** Writes an unsigned 64-bit number. */
export function writeU64(bytes: Buffer, offset: number, value: number): void {
  bytes.writeBigUInt64LE(BigInt(value), offset);
}

/** The smallest multiple of `alignment` that is at least `value`. */
export function alignUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}
