// The project as the scripts see it: its directory, and the three programs that are built from it.
import { dirname, join } from "node:path";
import type { Start, Variables } from "./static-relink/start.ts";

/** The top directory of the project. */
export const PROJECT = dirname(import.meta.dir);

/** The directory of the built programs. */
export const DIST = join(PROJECT, "dist");

/** The programs; the entry file of each is `src/<name>.ts`. */
export const PROGRAMS = ["outcalld", "outcall", "outcall-agent"] as const;

/** The entry file of a program. */
export function entryOf(program: string): string {
  return join(PROJECT, "src", `${program}.ts`);
}

/** A program's name. */
export type ProgramName = (typeof PROGRAMS)[number];

// These variables configure the runtime, its allocator or libc instead of the program. All other variables of the
// operator are kept.
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

// The shim is started by the agent that it restrains, so its runtime sees only the shim's own two variables. The shim
// reads PATH and the environment of the next program from the kernel.
const OF_THE_SHIM: Variables = { kind: "keep", names: ["OUTCALL_TIMEOUT_SECS", "OUTCALL_VERDICT"] };

// A load runs the same code about ten thousand times. That is enough to start the runtime's last optimizing compiler,
// which takes longer than the load itself and never pays off. This setting makes it start four times later.
const OF_LONG_RUNS: readonly string[] = ["BUN_JSC_thresholdForFTLOptimizeAfterWarmUp=400000"];

const STARTS: { readonly [Name in ProgramName]: Omit<Start, "name"> } = {
  "outcalld": { variables: OF_THE_RUNTIME, settings: OF_LONG_RUNS, unreadyStatus: 1, quietAbort: false },
  "outcall": { variables: OF_THE_RUNTIME, unreadyStatus: 1, quietAbort: false },
  "outcall-agent": { variables: OF_THE_SHIM, unreadyStatus: 5, quietAbort: true },
};

/** How a program starts before its runtime runs. */
export function startOf(name: ProgramName): Start {
  return { name, ...STARTS[name] };
}

/** Tuning for a single program. */
export type Tuning = {
  /** Additional flags for the compiler. */
  readonly flags?: readonly string[];
  /** The size of each write of a static program's file, in bytes; one write if not set. */
  readonly pieceBytes?: number;
};

// The daemon runs for months and mostly waits, so these settings reduce its memory.
// - The engine only interprets until the daemon serves (src/daemon/engine.ts): start-up code runs once or twice, and
//   code compiled for it would stay in memory.
// - The bytecode is in the order in which a start uses it, so the rest is never read. `scripts/record-order.ts` writes
//   that order. An outdated order saves less memory and is otherwise harmless.
// - The file is written in small pieces. A kernel caches a file in pieces as large as the writes, and maps a whole
//   piece into each process that touches one byte of it.
const TUNING: { readonly [Name in ProgramName]: Tuning } = {
  "outcalld": {
    flags: ["--compile-jit-policy=1000", `--bytecode-order=${bytecodeOrderOf("outcalld")}`],
    pieceBytes: 16 * 1024,
  },
  "outcall": {},
  "outcall-agent": {},
};

/** The tuning of a program. */
export function tuningOf(name: ProgramName): Tuning {
  return TUNING[name];
}

/** The file that lists the functions of a program's start, in order. */
export function bytecodeOrderOf(name: ProgramName): string {
  return join(PROJECT, "scripts", "bytecode-order", `${name}.txt`);
}

/**
 * The functions of libc that `src/peer/ffi.ts` calls. A static program can look up only functions that are linked into
 * it, so this list must match that file; a test compares them.
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
