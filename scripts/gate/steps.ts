// The gates as data: which checks run, and which tests with how many random cases.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { PROJECT } from "../project.ts";

/** A gate: everything, everything with many more random cases, or what is fast enough for every commit. */
type GateName = "full" | "nightly" | "daily";

/** A command that counts as one check. */
export type Check = { readonly name: string; readonly command: readonly string[] };

/** The run of the tests. */
export type TestRun = {
  /** Directories below `test` whose files are left out. */
  readonly leftOut: readonly string[];
  /** How many cases a random test tries. */
  readonly cases: number;
  readonly flags: readonly string[];
  /** Whether the checks before have built the programs, so that tests that can run either form run the built one too. */
  readonly built: boolean;
};

/** What a gate runs, in order. */
export type Gate = { readonly checks: readonly Check[]; readonly tests: TestRun };

// Scripts of the packages ask for Node by name; a machine may have Bun alone, so Bun runs them.
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

// Deno reads tsconfig.json too and must keep its own library there; the programs have no browser around them.
const TYPES: Check = { name: "types, TypeScript", command: [...tsc, "-p", ".", "--lib", "ESNext"] };
const DENO_TYPES: Check = {
  name: "types, Deno",
  command: [...deno, "check", "--quiet", "src", "test", "scripts", "bench"],
};
const UNUSED: Check = { name: "unused code", command: [bun, join(PROJECT, "node_modules/knip/bin/knip-bun.js")] };
const BUILD: Check = { name: "build", command: [bun, "scripts/build.ts"] };

/** A test that waits for a container may be slow on a busy machine; a test that hangs must end all the same. */
const TEST_TIMEOUT_MS = 120_000;

/** One more than there are processors: many tests wait for containers and processes while others compute. */
const WORKERS = availableParallelism() + 1;

// A worker that is done takes the next file; modules stay loaded from file to file.
const EVERYTHING = {
  leftOut: [],
  flags: [`--timeout=${TEST_TIMEOUT_MS}`, `--parallel=${WORKERS}`, "--no-isolate"],
  built: true,
} as const;

const GATES: { readonly [Name in GateName]: Gate } = {
  full: { checks: [FORMAT, TYPES, DENO_TYPES, UNUSED, BUILD], tests: { ...EVERYTHING, cases: 10_000 } },
  // `OUTCALL_CASES=1000000 bun run nightly` tries even more.
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

/** The gate of a name, or undefined. */
export function gateOf(name: string): Gate | undefined {
  return name === "full" || name === "nightly" || name === "daily" ? GATES[name] : undefined;
}
