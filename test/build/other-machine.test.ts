// A program for arm64, compiled and linked statically on x64: its file, and that it runs under qemu-user(1).
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram } from "../../scripts/build-program.ts";
import { entryOf, startOf } from "../../scripts/project.ts";
import { missingTools } from "../../scripts/release/requirements.ts";
import { fetchRuntimes, runtimeOf } from "../../scripts/release/runtimes.ts";
import { chooseTargets } from "../../scripts/release/targets.ts";
import { loadSegments, readElf, SEGMENT } from "../../scripts/static-relink/elf.ts";
import { VERSION } from "../../src/core/version.ts";
import { missingProgram, requirement } from "../support/container/container.ts";

// Compiling and linking takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const QEMU = "qemu-aarch64-static";
const EM_AARCH64 = 183;

const [arm64] = chooseTargets(["arm64"]);
const lacking = arm64 === undefined ? ["a target"] : missingTools([arm64.machine]);
const needed = requirement("outcall-agent for arm64", ...lacking, missingProgram(QEMU));

describe.skipIf(needed.skip)(needed.label, () => {
  let directory = "";
  let program = "";
  beforeAll(() => {
    if (arm64 === undefined) throw new Error("no target");
    directory = mkdtempSync(join(tmpdir(), "other-machine-"));
    program = join(directory, "outcall-agent");
    fetchRuntimes();
    const start = startOf("outcall-agent");
    buildProgram({
      entry: entryOf("outcall-agent"),
      output: program,
      linkage: "static",
      start,
      runtime: runtimeOf(arm64),
    });
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(QEMU, [program, ...words], {
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin", ...environment },
    });
    return { status, stdout, stderr };
  };

  test("is of that machine, static, and nothing in it is writable and executable", () => {
    const elf = readElf(readFileSync(program));
    expect(elf.machine).toBe(EM_AARCH64);
    const types = elf.headers.map(({ type }) => type);
    expect(types).not.toContain(SEGMENT.interpreter);
    expect(types).not.toContain(SEGMENT.dynamic);
    expect(loadSegments(elf).map(({ flags }) => flags & 3)).not.toContain(3);
  });

  test("starts", () => {
    expect(run(["--version"])).toEqual({ status: 0, stdout: `outcall-agent ${VERSION}\n`, stderr: "" });
  });

  test("is not steered by variables of its runtime", () => {
    const environment = { BUN_BE_BUN: "1", BUN_OPTIONS: "--revision" };
    expect(run(["--version"], environment)).toEqual({ status: 0, stdout: `outcall-agent ${VERSION}\n`, stderr: "" });
  });

  test("asks, and fails closed if the daemon does not answer", () => {
    const socket = join(directory, "agent.sock");
    const done = run(["exec", "--agent-socket", socket, "--", "true"]);
    expect(done).toMatchObject({ status: 5, stdout: "" });
    expect(done.stderr).toContain(socket);
  });
});
