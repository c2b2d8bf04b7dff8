// The gates as data: which checks run, and which tests with how many random cases.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { PROJECT } from "../project.ts";

/**
 * "full" runs everything, "nightly" runs the tests with many more random cases, "daily" is fast enough for every
 * commit.
 */
type GateName = "full" | "nightly" | "daily";

/** A command that counts as one check. */
export type Check = { readonly name: string; readonly command: readonly string[] };

/** How the tests are run. */
export type TestRun = {
  /** Directories below `test` whose files are left out. */
  readonly leftOut: readonly string[];
  /** How many cases each random test tries. */
  readonly cases: number;
  readonly flags: readonly string[];
  /** Whether the tests also run against the built programs. The checks before must have built them. */
  readonly built: boolean;
};

/** What a gate runs, in order. */
export type Gate = { readonly checks: readonly Check[]; readonly tests: TestRun };

// These scripts ask for Node.js by name. Bun runs them, so a machine without Node.js can run the gate.
const bun = process.execPath;
const deno = [bun, join(PROJECT, "node_modules/deno/bin.cjs")];
const tsc = [bun, join(PROJECT, "node_modules/typescript/bin/tsc")];

const FORMAT: Check = {
  name: "format",
  command: [
    ...[...deno, "fmt", "--check", "--line-width=120"],
    ...["src/**/*.ts", "scripts/**/*.ts", "test/**/*.ts", "bench/*.ts"],
  ],
};

// Deno reads tsconfig.json too and needs its own library there, so the flag overrides it here: the programs have no
// DOM.
const TYPES: Check = { name: "types, TypeScript", command: [...tsc, "-p", ".", "--lib", "ESNext"] };
const DENO_TYPES: Check = {
  name: "types, Deno",
  command: [...deno, "check", "--quiet", "src", "test", "scripts", "bench"],
};
const UNUSED: Check = { name: "unused code", command: [bun, join(PROJECT, "node_modules/knip/bin/knip-bun.js")] };
const BUILD: Check = { name: "build", command: [bun, "scripts/build.ts"] };

/** Long enough for a test that waits for a container on a busy machine; short enough to end a test that hangs. */
const TEST_TIMEOUT_MS = 120_000;

/** One more than there are processors, because many tests wait for containers and processes. */
const WORKERS = availableParallelism() + 1;

// A worker that finishes a file takes the next one; modules stay loaded between files.
const EVERYTHING = {
  leftOut: [],
  flags: [`--timeout=${TEST_TIMEOUT_MS}`, `--parallel=${WORKERS}`, "--no-isolate"],
  built: true,
} as const;

const GATES: { readonly [Name in GateName]: Gate } = {
  full: { checks: [FORMAT, TYPES, DENO_TYPES, UNUSED, BUILD], tests: { ...EVERYTHING, cases: 10_000 } },
  // `OUTCALL_CASES=1000000 bun run nightly` sets another number.
  nightly: { checks: [BUILD], tests: { ...EVERYTHING, cases: Number(process.env["OUTCALL_CASES"] ?? 100_000) } },
  daily: {
    checks: [FORMAT, TYPES, DENO_TYPES],
    tests: {
      leftOut: ["e2e", "build"],
      cases: 1000,
      flags: ["--randomize", `--timeout=${TEST_TIMEOUT_MS}`],
      built: false,
    },
  },
};

/** The gate with this name, or undefined. */
export function gateOf(name: string): Gate | undefined {
  return name === "full" || name === "nightly" || name === "daily" ? GATES[name] : undefined;
}
