// The project as the scripts see it: where it stands, and the three programs that it makes.
import { dirname, join } from "node:path";

/** The top directory of the project. */
export const PROJECT = dirname(import.meta.dirname);

/** Where the built programs go. */
export const DIST = join(PROJECT, "dist");

/** The programs; each has an entry file of its name in `src`. */
export const PROGRAMS = ["outcalld", "outcall", "outcall-agent"] as const;

/** The entry file of a program. */
export function entryOf(program: string): string {
  return join(PROJECT, "src", `${program}.ts`);
}

/**
 * The functions of libc that `src/peer/ffi.ts` calls. A static program can look up only what was put into it, so this
 * list and that file must name the same; a test compares them.
 */
export const FFI_FUNCTIONS = ["close", "flock", "getsockopt", "ioctl", "open", "poll", "socketpair"] as const;
