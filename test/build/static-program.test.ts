// A program of the tests, compiled and linked statically: its file, and what it can do in which environment.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { buildProgram } from "../../scripts/build-program.ts";
import { FFI_FUNCTIONS } from "../../scripts/project.ts";
import { loadSegments, readElf, SEGMENT } from "../../scripts/static-relink/elf.ts";
import { hostMachine } from "../../scripts/static-relink/machine.ts";
import { findStaticLibc } from "../../scripts/static-relink/toolchain.ts";
import { buildSample, SAMPLE_START } from "./sample-build.ts";
import type { SampleFacts } from "./sample-program.ts";

const NAMESPACES = ["--mount", "--pid", "--fork", "--kill-child", ...(userInfo().uid === 0 ? [] : ["--map-root-user"])];

const canLinkStatically = findStaticLibc(hostMachine()) !== undefined;
const canIsolate = spawnSync("unshare", [...NAMESPACES, "mount", "-t", "proc", "proc", "/proc"]).status === 0;

// Compiling and linking takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

let directory = "";
let program = "";

describe.skipIf(!canLinkStatically)("static program", () => {
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "static-program-"));
    program = join(directory, "root", "sample");
    buildSample(program, "static");
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test("has no interpreter and no dynamic section", () => {
    const types = readElf(readFileSync(program)).headers.map(({ type }) => type);
    expect(types).toContain(SEGMENT.load);
    expect(types).not.toContain(SEGMENT.interpreter);
    expect(types).not.toContain(SEGMENT.dynamic);
  });

  test("has no segment that is writable and executable", () => {
    const flags = loadSegments(readElf(readFileSync(program))).map((segment) => segment.flags & 3);
    expect(flags).not.toContain(3);
  });

  test("is the same file when built again in another directory, and the build leaves no other file", () => {
    const again = join(directory, "again", "sample");
    buildSample(again, "static");
    expect(readFileSync(again).equals(readFileSync(program))).toBe(true);
    expect(readdirSync(join(directory, "again"))).toEqual(["sample"]);
  });

  test("does what a dynamic program does, loads no library, and reads no file of the directory it starts in", () => {
    const start = join(directory, "start");
    mkdirSync(start);
    writeFileSync(join(start, ".env"), "FROM_DOTENV=something\n");
    writeFileSync(join(start, "bunfig.toml"), `preload = ["./preload.ts"]\n`);
    writeFileSync(join(start, "preload.ts"), "globalThis.preloaded = true;\n");
    const run = spawnSync(program, ["a b", "--", ""], { cwd: start, encoding: "utf8" });
    const facts: SampleFacts = JSON.parse(run.stdout);
    expect(facts.foreignLibrary).toContain("dynamic libraries are not available in the static build");
    expect({ ...facts, foreignLibrary: "" }).toEqual({
      args: ["a b", "--", ""],
      fromDotenv: "nothing",
      preloaded: false,
      sql: { answer: 42 },
      bound: [...FFI_FUNCTIONS],
      foreignLibrary: "",
      localhost: "127.0.0.1",
      user: userInfo().username,
    });
  });

  test.skipIf(!canIsolate)("runs in an empty root with nothing but /proc", () => {
    mkdirSync(join(directory, "root", "proc"));
    const script = `mount -t proc proc "$1/proc" && exec chroot "$1" /sample short`;
    const run = spawnSync("unshare", [...NAMESPACES, "sh", "-c", script, "sh", join(directory, "root")]);
    expect(run.stderr.toString()).toBe("");
    expect(run.stdout.toString()).toBe(`{"args":["short"]}\n`);
    expect(run.status).toBe(0);
  });
});

test("a dynamic program keeps its interpreter", () => {
  const work = mkdtempSync(join(tmpdir(), "dynamic-program-"));
  try {
    const output = join(work, "sample");
    buildSample(output, "dynamic");
    expect(readElf(readFileSync(output)).headers.map(({ type }) => type)).toContain(SEGMENT.interpreter);
    expect(spawnSync(output, ["short"]).stdout.toString()).toBe(`{"args":["short"]}\n`);
  } finally {
    rmSync(work, { recursive: true });
  }
});

test("a missing or broken entry is a failure that names it", () => {
  const missing = join(import.meta.dir, "no-such-program.ts");
  const options = { output: join(tmpdir(), "never-built"), linkage: "dynamic", start: SAMPLE_START } as const;
  expect(() => buildProgram({ ...options, entry: missing })).toThrow(`no entry file "${missing}"`);
});
