// The relinker's readers on unexpected files: each must be refused with a message that says what is wrong.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../scripts/failure.ts";
import { dropSections, headerOf, readElf, SEGMENT, writeProgramHeaders } from "../../scripts/static-relink/elf.ts";
import { hostMachine } from "../../scripts/static-relink/machine.ts";
import { readProgram } from "../../scripts/static-relink/program.ts";
import { findStaticLibc } from "../../scripts/static-relink/toolchain.ts";
import { buildSample } from "./sample-build.ts";

// Compiling and linking takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

let compiled = Buffer.alloc(0);

beforeAll(() => {
  const directory = mkdtempSync(join(tmpdir(), "relink-input-"));
  const output = join(directory, "sample");
  buildSample(output, "dynamic");
  compiled = readFileSync(output);
  rmSync(directory, { recursive: true });
});
afterAll(() => {
  compiled = Buffer.alloc(0);
});

test("readProgram finds slots, copied variables and the start of a compiled program", () => {
  const program = readProgram(readElf(compiled));
  expect(program.machine).toBe(hostMachine());
  expect(program.slots.length).toBeGreaterThan(100);
  expect(program.slots.map(({ target }) => target)).toContain("getsockopt");
  expect(program.copies.map(({ name }) => name)).toContain("environ");
  expect(program.slots.find(({ target }) => target === "__libc_start_main")?.address).toBe(program.startSlot);
});

describe("an unusual file is refused with its reason", () => {
  const cases: readonly { note: string; change: (bytes: Buffer) => Buffer; message: string }[] = [
    { note: "empty", change: () => Buffer.alloc(0), message: "not an ELF file" },
    { note: "a script", change: () => Buffer.from("#!/bin/sh\n"), message: "not an ELF file" },
    { note: "cut in the file header", change: (bytes) => bytes.subarray(0, 63), message: "truncated in its header" },
    { note: "32-bit", change: setByte(4, 1), message: "not a 64-bit little-endian ELF file" },
    { note: "big-endian", change: setByte(5, 2), message: "not a 64-bit little-endian ELF file" },
    { note: "position-independent", change: setByte(16, 3), message: "not an executable at a fixed address" },
    { note: "for RISC-V", change: setByte(18, 243), message: "machine 243 is neither x64 (62) nor arm64 (183)" },
    { note: "header table elsewhere", change: setByte(32, 72), message: "program header table does not follow" },
    {
      note: "header entries of another size",
      change: setByte(54, 57),
      message: "program header table does not follow",
    },
    {
      note: "cut in the program headers",
      change: (bytes) => bytes.subarray(0, 100),
      message: "truncated in its program headers",
    },
    {
      note: "cut in a segment",
      change: (bytes) => bytes.subarray(0, headerOf(readElf(bytes), SEGMENT.dynamic).offset),
      message: "truncated in a segment",
    },
    { note: "an impossible offset", change: setByte(64 + 15, 0xff), message: "number that is too large" },
    { note: "an unknown program header", change: setByte(64, 0x55), message: "unknown program header of type 0x55" },
    {
      note: "not dynamic",
      change: withoutHeader(SEGMENT.dynamic),
      message: "found 0 program headers of type 0x2, wanted 1",
    },
    { note: "no thread-local data", change: withoutHeader(SEGMENT.tls), message: "0 program headers of type 0x7" },
    { note: "nothing mapped", change: withoutHeader(SEGMENT.load), message: "no bytes of the file at address" },
    { note: "an unknown relocation", change: firstRelocation(8, 37), message: "relocation of unknown type 37" },
  ];
  for (const { note, change, message } of cases) {
    test(note, () => {
      const failure = failureOf(() => readProgram(readElf(change(Buffer.from(compiled)))));
      expect(failure).toContain(message);
    });
  }
});

test("writeProgramHeaders refuses more headers than there is room for", () => {
  const { headers } = readElf(compiled);
  const bytes = Buffer.from(compiled);
  writeProgramHeaders(bytes, headers);
  expect(bytes.equals(compiled)).toBe(true);
  const message = `no room for ${headers.length + 1} program headers`;
  expect(failureOf(() => writeProgramHeaders(bytes, [...headers, ...headers.slice(0, 1)]))).toContain(message);
});

test("dropSections refuses a file that is cut in its section headers", () => {
  const cut = Buffer.from(compiled.subarray(0, compiled.length - 1));
  expect(failureOf(() => dropSections(cut, new Set()))).toContain("truncated in its section headers");
  dropSections(Buffer.from(compiled), new Set());
});

test("findStaticLibc is undefined if the compiler or its library is missing", () => {
  expect(findStaticLibc({ ...hostMachine(), compiler: "no-such-compiler" })).toBeUndefined();
  // A compiler without the library prints only its name, like echo does.
  expect(findStaticLibc({ ...hostMachine(), compiler: "echo" })).toBeUndefined();
});

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  throw new Error("the file was not refused");
}

function setByte(offset: number, value: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    bytes[offset] = value;
    return bytes;
  };
}

function withoutHeader(type: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    writeProgramHeaders(bytes, readElf(bytes).headers.filter((header) => header.type !== type));
    return bytes;
  };
}

// The first relocation of the table in entry 7 (DT_RELA) of the dynamic section.
function firstRelocation(offset: number, value: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const elf = readElf(bytes);
    const dynamic = headerOf(elf, SEGMENT.dynamic);
    for (let entry = dynamic.offset; entry < dynamic.offset + dynamic.fileSize; entry += 16) {
      if (bytes.readBigUInt64LE(entry) !== 7n) continue;
      const address = Number(bytes.readBigUInt64LE(entry + 8));
      const segment = elf.headers.find((header) =>
        header.type === SEGMENT.load && address >= header.address && address < header.address + header.fileSize
      );
      return setByte((segment?.offset ?? 0) + address - (segment?.address ?? 0) + offset, value)(bytes);
    }
    throw new Error("no relocations");
  };
}
