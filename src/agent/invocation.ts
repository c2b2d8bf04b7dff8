// How the shim was called: under its own name with a command, or under a program's name (a link early in PATH). The name is
// argv[0], as for every program with several names. From source there is no link: argv[0] is the runtime's.
import { basename } from "node:path";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { checkArguments } from "./exact.ts";
import { AGENT_PROGRAM } from "./program.ts";

/** What the runtime says of the process. */
export type ProcessArguments = { readonly argv: readonly string[]; readonly argv0: string };

/** A call of the shim. */
export type Invocation = {
  /** The name it was called by, where that is a program's. */
  readonly linkedAs: string | null;
  /** What follows the name, exact. */
  readonly words: readonly string[];
  /** The shim's own file: a candidate that is the same file is never the program that is meant. */
  readonly file: string;
  /** Whether the file runs by itself, without a runtime. */
  readonly compiled: boolean;
};

/** Where the modules of a compiled program are, so the runtime says. */
const COMPILED_ROOT = "/$bunfs/";

/** Reads the call; refuses arguments that are not exactly the caller's. */
export function readInvocation({ argv, argv0 }: ProcessArguments): Result<Invocation, Problem> {
  const [, script = "", ...words] = argv;
  const compiled = script.startsWith(COMPILED_ROOT);
  const exact = checkArguments(compiled ? [argv0, ...words] : words);
  if (!exact.ok) return exact;
  // A release's file may carry more in its name: outcall-agent-linux-x64 is no program's name.
  const linked = compiled && !basename(argv0).startsWith(AGENT_PROGRAM.name);
  return ok({ linkedAs: linked ? argv0 : null, words, file: compiled ? "/proc/self/exe" : script, compiled });
}
