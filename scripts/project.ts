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

const STARTS: { readonly [Name in ProgramName]: Omit<Start, "name"> } = {
  "outcalld": { variables: OF_THE_RUNTIME, unreadyStatus: 1, quietAbort: false },
  "outcall": { variables: OF_THE_RUNTIME, unreadyStatus: 1, quietAbort: false },
  "outcall-agent": { variables: OF_THE_SHIM, unreadyStatus: 5, quietAbort: true },
};

/** How a program starts before its runtime does. */
export function startOf(name: ProgramName): Start {
  return { name, ...STARTS[name] };
}

// The daemon's engine interprets until the daemon serves (src/daemon/engine.ts): code of a start runs once or twice, and
// what compiles it would stay in memory. Its bytecode stands in the order in which a start uses it, so that the rest is
// not read; scripts/record-order.ts writes the file anew, which may lag behind the source.
const COMPILE_FLAGS: { readonly [Name in ProgramName]?: readonly string[] } = {
  "outcalld": ["--compile-jit-policy=1000", `--bytecode-order=${bytecodeOrderOf("outcalld")}`],
};

/** What the compiler is told of one program alone. */
export function compileFlagsOf(name: ProgramName): readonly string[] {
  return COMPILE_FLAGS[name] ?? [];
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
