// The way in which the shim was called: by its own name with a command, or by the name of a program (a link early in PATH).
// The name is argv[0]. A shim that runs from source cannot be linked, because argv[0] is the runtime's.
import { basename } from "node:path";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { checkArguments } from "./exact.ts";
import { AGENT_PROGRAM } from "./program.ts";

/** The process as the runtime describes it. */
export type ProcessArguments = { readonly argv: readonly string[]; readonly argv0: string };

/** A call of the shim. */
export type Invocation = {
  /** The name of the link that was called; null if the shim was called by its own name. */
  readonly linkedAs: string | null;
  /** The arguments after the name, byte for byte. */
  readonly words: readonly string[];
  /** The shim's own file. The search for a program skips it. */
  readonly file: string;
  /** Whether the shim is a compiled program, not source run by a runtime. */
  readonly compiled: boolean;
};

/** Where the runtime says that the modules of a compiled program are. */
const COMPILED_ROOT = "/$bunfs/";

/** Reads the call; an error if the arguments are not byte for byte those of the caller. */
export function readInvocation({ argv, argv0 }: ProcessArguments): Result<Invocation, Problem> {
  const [, script = "", ...words] = argv;
  const compiled = script.startsWith(COMPILED_ROOT);
  const exact = checkArguments(compiled ? [argv0, ...words] : words);
  if (!exact.ok) return exact;
  // The file of a release may have a longer name, such as outcall-agent-linux-x64.
  const linked = compiled && !basename(argv0).startsWith(AGENT_PROGRAM.name);
  return ok({ linkedAs: linked ? argv0 : null, words, file: compiled ? "/proc/self/exe" : script, compiled });
}
