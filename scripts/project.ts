// The project as the scripts see it: where it stands, and the three programs that it makes.
import { dirname, join } from "node:path";
import type { Start, Variables } from "./static-relink/start.ts";

/** The top directory of the project. */
export const PROJECT = dirname(import.meta.dir);

/** Where the built programs go. */
export const DIST = join(PROJECT, "dist");

/** The programs; each has an entry file of its name in `src`. */
export const PROGRAMS = ["outcalld", "outcall", "outcall-agent"] as const;

/** The entry file of a program. */
export function entryOf(program: string): string {
  return join(PROJECT, "src", `${program}.ts`);
}

/** A program's name. */
export type ProgramName = (typeof PROGRAMS)[number];

// What steers the runtime, its allocator or libc rather than the program. An operator's other variables stay.
const OF_THE_RUNTIME: Variables = {
  kind: "drop",
  names: [
    "BUN_*",
    "JSC_*",
    "NODE_*",
    "MIMALLOC_*",
    "MALLOC_*",
    "GLIBC_TUNABLES",
    "LD_*",
    "GCONV_PATH",
    "LOCPATH",
    "ICU_*",
  ],
};

// The shim is started by those whom it is to hold back: its runtime sees the shim's own two variables and no other. PATH
// and what the next program gets are read from the kernel.
const OF_THE_SHIM: Variables = { kind: "keep", names: ["OUTCALL_TIMEOUT_SECS", "OUTCALL_VERDICT"] };

// Everything that a load does is done some ten thousand times: often enough for the runtime's last compiler, which then
// takes more time than the load itself, and never earns it back. It begins four times later.
const OF_LONG_RUNS: readonly string[] = ["BUN_JSC_thresholdForFTLOptimizeAfterWarmUp=400000"];

const STARTS: { readonly [Name in ProgramName]: Omit<Start, "name"> } = {
  "outcalld": { variables: OF_THE_RUNTIME, settings: OF_LONG_RUNS, unreadyStatus: 1, quietAbort: false },
  "outcall": { variables: OF_THE_RUNTIME, unreadyStatus: 1, quietAbort: false },
  "outcall-agent": { variables: OF_THE_SHIM, unreadyStatus: 5, quietAbort: true },
};

/** How a program starts before its runtime does. */
export function startOf(name: ProgramName): Start {
  return { name, ...STARTS[name] };
}

/** What is done for one program alone, so that it takes less of something. */
export type Tuning = {
  /** What the compiler is told besides. */
  readonly flags?: readonly string[];
  /** In pieces of how many bytes a static program is written; at once unless said. */
  readonly pieceBytes?: number;
};

// The daemon runs for months and mostly waits, so it is made to take little memory.
// - Its engine interprets until it serves (src/daemon/engine.ts): the code of a start runs once or twice, and what would
//   compile it stays in memory.
// - Its bytecode stands in the order in which a start uses it, and the rest is not read; `scripts/record-order.ts` writes
//   that order anew. One that is older than the source does less and no harm.
// - Its file is written in small pieces: a kernel keeps a file in memory in pieces as large as they were written, and maps
//   whole ones into a process that touches a byte of them.
const TUNING: { readonly [Name in ProgramName]: Tuning } = {
  "outcalld": {
    flags: ["--compile-jit-policy=1000", `--bytecode-order=${bytecodeOrderOf("outcalld")}`],
    pieceBytes: 16 * 1024,
  },
  "outcall": {},
  "outcall-agent": {},
};

/** What is done for one program alone. */
export function tuningOf(name: ProgramName): Tuning {
  return TUNING[name];
}

/** The file with the functions that a program's start uses, in order. */
export function bytecodeOrderOf(name: ProgramName): string {
  return join(PROJECT, "scripts", "bytecode-order", `${name}.txt`);
}

/**
 * The functions of libc that `src/peer/ffi.ts` calls. A static program can look up only what was put into it, so this
 * list and that file must name the same; a test compares them.
 */
export const FFI_FUNCTIONS = [
  "close",
  "flock",
  "getsockopt",
  "ioctl",
  "open",
  "poll",
  "recv",
  "sendto",
  "socket",
  "socketpair",
] as const;
