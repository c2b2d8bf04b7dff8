// Program -> an executable that contains libc, libm and our C files, linked at a fixed address above the program. It
// fits this program only: its tables hold the program's slots, and its thread-local segment the program's block.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../failure.ts";
import { type Elf, headerOf, loadSegments, offsetOf, readElf, SEGMENT } from "./elf.ts";
import { type Program, START_FUNCTION } from "./program.ts";
import type { Start } from "./start.ts";
import { tablesText, threadLocalText } from "./tables.ts";
import { findStaticLibc, listSymbols, runTool } from "./toolchain.ts";

/** A linked image and the addresses of its symbols. */
export type LibcImage = { readonly elf: Elf; readonly symbols: ReadonlyMap<string, number> };

/** The address of the image: above the 107 MB at Bun's own fixed addresses, below the usual place of the heap. */
const IMAGE_BASE = 0x20000000;

/** The options for an image. */
export type ImageOptions = {
  /** Functions that can be looked up by name, in addition to those that are found in the program. */
  readonly names: readonly string[];
  readonly start: Start;
};

/** Links the image for a program. */
export function linkLibcImage(program: Program, { names: extraNames, start }: ImageOptions): LibcImage {
  const { machine } = program;
  const libc = findStaticLibc(machine);
  if (libc === undefined) return fail(`no static libc for ${machine.name}: install ${machine.packages}`);
  const end = Math.max(...loadSegments(program.elf).map((segment) => segment.address + segment.memorySize));
  if (end > IMAGE_BASE) fail(`the program ends at 0x${end.toString(16)}, above the address reserved for libc`);
  const functions = new Set(
    listSymbols(machine, libc).filter(({ kind }) => FUNCTION_KINDS.has(kind)).map(({ name }) => name),
  );
  const directory = mkdtempSync(join(tmpdir(), "static-relink-"));
  try {
    const tables = tablesText(program, lookedUpNames(program, functions, extraNames), start);
    const path = link(program, tables, directory);
    const symbols = new Map(listSymbols(machine, path).map(({ name, value }) => [name, value]));
    return { elf: checkImage(program, readElf(readFileSync(path))), symbols };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The address of a symbol of the image. */
export function symbolOf(image: LibcImage, name: string): number {
  return image.symbols.get(name) ?? fail(`the image has no symbol "${name}"`);
}

// Symbol types of global functions, weak ones, and those that choose an implementation for the processor (IFUNC).
const FUNCTION_KINDS: ReadonlySet<string> = new Set(["T", "W", "i"]);

/**
 * The functions that the program can look up at run time: those it imports, and each function of libc whose name is a
 * read-only string in the program. The second group is too large, because the file does not show which strings reach
 * `dlsym`.
 */
function lookedUpNames(
  program: Program,
  functions: ReadonlySet<string>,
  extraNames: readonly string[],
): readonly string[] {
  const optional = new Set(program.optional);
  const imported = program.slots.flatMap(({ target }) => typeof target === "string" ? [target] : [])
    .filter((name) => !optional.has(name) && name !== START_FUNCTION);
  const [text] = loadSegments(program.elf);
  const bytes = text === undefined
    ? Buffer.alloc(0)
    : program.elf.bytes.subarray(text.offset, text.offset + text.fileSize);
  const strings = [...bytes.toString("latin1").matchAll(/(?<=\0)[a-zA-Z_]\w{2,40}(?=\0)/g)].map(([name]) => name);
  for (const name of extraNames) if (!functions.has(name)) fail(`libc has no function "${name}"`);
  return [...new Set([...imported, ...strings.filter((name) => functions.has(name)), ...extraNames])];
}

const SOURCES = ["glue.c", "environment.c", "handover.c", "readiness.c"];

const COMPILE_FLAGS = [
  ...["-O2", "-static", "-no-pie", "-fno-stack-protector", "-fno-asynchronous-unwind-tables"],
  // Keeps the compiler from turning loops into calls of memcpy and the like: before libc is set up, there is nothing to
  // call.
  ...["-fno-builtin", "-fno-tree-loop-distribute-patterns"],
];

function link(program: Program, text: string, directory: string): string {
  const { machine } = program;
  const tables = join(directory, "tables.S");
  const tls = join(directory, "tls.S");
  const output = join(directory, "image");
  writeFileSync(tables, text);
  writeFileSync(tls, threadLocalText(program));
  // The linker lays out thread-local data in the order of its inputs.
  const [first, last] = machine.programTlsFirst ? [[tls], []] : [[], [tls]];
  const [programStart] = loadSegments(program.elf);
  const linkerOptions = [
    // libc finds the program headers through this symbol. The joined file has one file header, the program's.
    `--defsym=__ehdr_start=${programStart?.address}`,
    `-Ttext-segment=0x${IMAGE_BASE.toString(16)}`,
    "-z,noseparate-code,-z,relro,-z,now",
    "--build-id=none",
    "-e,static_start_main",
  ];
  runTool(machine.compiler, [
    ...COMPILE_FLAGS,
    ...first,
    ...SOURCES.map((name) => join(import.meta.dir, name)),
    tables,
    ...["-Wl,--start-group", "-lm", "-lc", "-lgcc_eh", "-lgcc", "-Wl,--end-group"],
    ...last,
    `-Wl,${linkerOptions.join(",")}`,
    ...["-o", output],
  ]);
  return output;
}

function checkImage(program: Program, elf: Elf): Elf {
  const count = loadSegments(elf).length;
  if (count !== 2) fail(`the image of libc has ${count} segments, wanted 2`);
  const tls = headerOf(elf, SEGMENT.tls);
  if (tls.alignment > program.machine.tlsAlignment) fail(`thread-local data of libc is aligned to ${tls.alignment}`);
  offsetOf(elf, tls.address, tls.fileSize);
  return elf;
}
