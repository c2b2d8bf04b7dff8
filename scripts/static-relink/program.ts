// Executable -> what its dynamic linker would do: the slots that receive addresses, the variables of libc that it
// contains, the functions it imports. An unknown relocation is a failure, because a slot that is left out would crash
// the program.
import { fail } from "../failure.ts";
import { type Elf, headerOf, offsetOf, type ProgramHeader, readU64, SEGMENT } from "./elf.ts";
import { type Machine, machineOf } from "./machine.ts";

/** A word of the program that receives an address before `main` runs. */
type Slot = {
  readonly address: number;
  /** A symbol that the program imports, or an address inside it. */
  readonly target: string | number;
  readonly addend: number;
};

/** A variable of libc that is stored in the program, because the program's code uses it at a fixed address. */
type CopiedVariable = { readonly name: string; readonly address: number };

/** What the relinker must know about a program to bind it to a libc. */
export type Program = {
  readonly elf: Elf;
  readonly machine: Machine;
  readonly tls: ProgramHeader;
  readonly slots: readonly Slot[];
  readonly copies: readonly CopiedVariable[];
  /** Names that may stay unbound: the program checks whether they exist. */
  readonly optional: readonly string[];
  /** The slot that holds the address of `__libc_start_main` for the program's first instructions. */
  readonly startSlot: number;
  /** What the dynamic linker would run at exit. */
  readonly finiArray: { readonly address: number; readonly count: number };
  readonly fini: number;
};

/** The function that the program's entry point calls; through its slot, the static image takes over. */
export const START_FUNCTION = "__libc_start_main";

const TAG = {
  jumpSizeBytes: 2,
  strings: 5,
  symbols: 6,
  relocations: 7,
  relocationSizeBytes: 8,
  fini: 13,
  jumpRelocations: 23,
  finiArray: 26,
  finiArraySizeBytes: 28,
} as const;

const RELOCATION_SIZE = 24;
const SYMBOL_SIZE = 24;
const WEAK = 2;
const KNOWN_SEGMENTS: ReadonlySet<number> = new Set(Object.values(SEGMENT));
// Hooks for gcc's transactional memory, gprof and zstd's tracing. libc does not have them, and the program checks for
// that.
const OPTIONAL = /^(_ITM_|__gmon_|ZSTD_trace_)/;

/** Reads a finished output of `bun build --compile`. */
export function readProgram(elf: Elf): Program {
  const machine = machineOf(elf);
  for (const header of elf.headers) {
    if (!KNOWN_SEGMENTS.has(header.type)) fail(`unknown program header of type 0x${header.type.toString(16)}`);
  }
  const tags = readDynamicSection(elf);
  const relocations = readRelocations(elf, tags);
  const copied = relocations.filter((relocation) => relocation.type === machine.copy);
  const bound = relocations.filter((relocation) => relocation.type !== machine.copy);
  const slots = bound.map((relocation) => slotOf(relocation, machine));
  const start = slots.find((slot) => slot.target === START_FUNCTION);
  if (start === undefined) return fail(`the program does not call ${START_FUNCTION}`);
  return {
    elf,
    machine,
    tls: headerOf(elf, SEGMENT.tls),
    slots,
    copies: copied.map(copiedVariable),
    optional: bound.filter((relocation) => isOptional(relocation, machine)).map(({ symbol }) => symbol.name),
    startSlot: start.address,
    finiArray: { address: tagOf(tags, TAG.finiArray), count: tagOf(tags, TAG.finiArraySizeBytes) / 8 },
    fini: tagOf(tags, TAG.fini),
  };
}

type Tags = ReadonlyMap<number, number>;

function readDynamicSection(elf: Elf): Tags {
  const header = headerOf(elf, SEGMENT.dynamic);
  const tags = new Map<number, number>();
  for (let offset = header.offset; offset < header.offset + header.fileSize; offset += 16) {
    const tag = readU64(elf.bytes, offset);
    if (tag === 0) break;
    tags.set(tag, readU64(elf.bytes, offset + 8));
  }
  return tags;
}

function tagOf(tags: Tags, tag: number): number {
  return tags.get(tag) ?? fail(`the dynamic section has no entry ${tag}`);
}

type ElfSymbol = {
  readonly name: string;
  readonly weak: boolean;
  readonly defined: boolean;
  readonly value: number;
  readonly sizeBytes: number;
};

type Relocation = {
  readonly address: number;
  readonly type: number;
  readonly addend: number;
  readonly symbol: ElfSymbol;
};

function readRelocations(elf: Elf, tags: Tags): readonly Relocation[] {
  const tables = [
    { address: tagOf(tags, TAG.relocations), sizeBytes: tagOf(tags, TAG.relocationSizeBytes) },
    { address: tagOf(tags, TAG.jumpRelocations), sizeBytes: tagOf(tags, TAG.jumpSizeBytes) },
  ];
  return tables.flatMap(({ address, sizeBytes }) => {
    const offset = offsetOf(elf, address, sizeBytes);
    return Array.from({ length: sizeBytes / RELOCATION_SIZE }, (_, index) => {
      const start = offset + index * RELOCATION_SIZE;
      return {
        address: readU64(elf.bytes, start),
        type: elf.bytes.readUInt32LE(start + 8),
        addend: Number(elf.bytes.readBigInt64LE(start + 16)),
        symbol: readSymbol(elf, tags, elf.bytes.readUInt32LE(start + 12)),
      };
    });
  });
}

function readSymbol(elf: Elf, tags: Tags, index: number): ElfSymbol {
  const start = offsetOf(elf, tagOf(tags, TAG.symbols) + index * SYMBOL_SIZE, SYMBOL_SIZE);
  const nameStart = offsetOf(elf, tagOf(tags, TAG.strings) + elf.bytes.readUInt32LE(start), 1);
  return {
    name: elf.bytes.toString("latin1", nameStart, elf.bytes.indexOf(0, nameStart)),
    weak: elf.bytes.readUInt8(start + 4) >> 4 === WEAK,
    defined: elf.bytes.readUInt16LE(start + 6) !== 0,
    value: readU64(elf.bytes, start + 8),
    sizeBytes: readU64(elf.bytes, start + 16),
  };
}

function slotOf(relocation: Relocation, machine: Machine): Slot {
  const { address, type, addend, symbol } = relocation;
  if (!machine.addressTypes.includes(type)) fail(`relocation of unknown type ${type} for "${symbol.name}"`);
  return { address, addend, target: isOwn(relocation, machine) ? symbol.value : symbol.name };
}

// An undefined function with an address: the program takes the function's address, and the address of its jump stub
// serves as that everywhere, so that pointers to the function compare equal.
function isOwn({ type, symbol }: Relocation, machine: Machine): boolean {
  return symbol.defined || (type === machine.globalData && symbol.value !== 0);
}

function isOptional(relocation: Relocation, machine: Machine): boolean {
  return relocation.symbol.weak && !isOwn(relocation, machine) && OPTIONAL.test(relocation.symbol.name);
}

function copiedVariable({ address, symbol }: Relocation): CopiedVariable {
  if (symbol.sizeBytes !== 8) fail(`the program contains a copy of "${symbol.name}", which is not a pointer`);
  return { name: symbol.name, address };
}
