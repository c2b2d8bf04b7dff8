// P7: a pid that another process has now does not identify the peer, with either way of pinning.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUN, missingKernel, missingProgram, missingRoot, requirement, ROOT } from "../support/container/container.ts";
import type { WrapFacts } from "../support/host/pid-wrap.ts";

const nextPid = existsSync("/proc/sys/kernel/ns_last_pid") ? undefined : "a kernel that lets the next pid be set";
const needs = requirement("P7: a pid that is used again is not the peer's", missingRoot(), nextPid);
test.skipIf(needs.skip)(needs.label, () => {
  const dir = mkdtempSync(join(tmpdir(), "outcall-reuse-"));
  const program = join(ROOT, "test", "support", "container", "reuse.ts");
  const argv = ["-p", "-f", "--kill-child", "--mount-proc", BUN, program, join(dir, "socket")];
  const done = spawnSync("unshare", argv, { stdio: ["ignore", "pipe", "inherit"] });
  rmSync(dir, { recursive: true });
  expect(JSON.parse(done.stdout.toString())).toEqual({
    before: [true, true],
    reused: true,
    alive: [false, false],
    unchanged: [false, false],
  });
}, 60_000);

// Since this kernel version, the limit of pids is per namespace; before, it would apply to the whole machine.
const few = requirement(
  "P7: pids that come round, at the built daemon",
  missingRoot(),
  missingProgram("unshare"),
  missingKernel("6.14"),
);
test.skipIf(few.skip)(few.label, () => {
  const program = join(ROOT, "test", "support", "host", "pid-wrap.ts");
  const argv = ["-p", "-f", "-m", "--kill-child", "--mount-proc", BUN, program];
  const done = spawnSync("unshare", argv, { stdio: ["ignore", "pipe", "inherit"] });
  const facts: WrapFacts = JSON.parse(done.stdout.toString());
  expect(facts.statuses).toEqual({ before: 200, ended: 403, reused: 403 });
  expect(facts.ids.reusing).toBe(facts.ids.other);
  expect(facts.ids.reusing).not.toBe(facts.ids.old);
  expect(facts.stolen).toBe(401);
}, 60_000);
