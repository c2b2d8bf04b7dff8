// A full disk and a deleted database: every decision is a denial, for agents, the shim and the host, until a record can
// be written again. The first new record says how many are missing.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "bun:test";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, type DaemonFiles, layOut } from "../support/program/daemon.ts";
import {
  check,
  evaluate,
  LOG_RULES,
  outcallLog,
  printedRecords,
  runDaemon,
  stateOf,
  stopAgents,
} from "../support/audit/decision-log.ts";
import type { CheckAnswer } from "../support/agent/agent-process.ts";
import { callAsAgent } from "../support/agent/hostile-agent.ts";
import { unshareArgv } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";
import { runProgram } from "../support/program/run-program.ts";

const UNAVAILABLE_TO_HOST = {
  status: 503,
  body: { success: false, error: "decision log unavailable", code: "audit.unavailable" },
};
const UNAVAILABLE = { status: 200, body: { data: { allowed: false, reason: "decision log unavailable" } } };
const ALLOWED = { status: 200, body: { data: { allowed: true } } };

function isAllowed({ body }: CheckAnswer): boolean {
  return JSON.stringify(body).includes('"allowed":true');
}

function isUnavailable({ body }: CheckAnswer): boolean {
  return JSON.stringify(body).includes("decision log unavailable");
}

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  stopAgents();
  for (const each of undo.splice(0).reverse()) await each();
});

function directories(): DaemonFiles {
  const files = layOut(LOG_RULES);
  undo.push(() => rmSync(files.dir, { recursive: true, force: true }));
  return files;
}

async function start(files: DaemonFiles): Promise<Daemon> {
  const daemon = await runDaemon(files);
  undo.push(async () => void await daemon.end("SIGKILL"));
  return daemon;
}

// Expects denials for a rule that blocks, one that allows with a log entry, and a plain allow.
async function expectDenials(files: DaemonFiles): Promise<void> {
  for (const tool of ["told", "loud", "quiet"]) {
    expect(await check(files, tool)).toMatchObject(UNAVAILABLE);
    expect(await evaluate(files, tool)).toMatchObject(UNAVAILABLE_TO_HOST);
  }
  const ask = { action_type: "tool_exec", target: "/bin/quiet", session_token: "$TOKEN" };
  const [, verdict] = callAsAgent(files.agentSocket, [
    { path: "/v1/checkin" },
    { path: "/v1/permissions/check", body: JSON.stringify(ask) },
  ]);
  expect(JSON.parse(verdict?.text ?? "")).toEqual({
    success: true,
    data: { allowed: false, matched_rule: null, reason: "decision log unavailable" },
  });
  const shim = [...program("outcall-agent"), "--agent-socket", files.agentSocket, "exec", "/bin/true"];
  expect(await runProgram(unshareArgv(shim))).toMatchObject({
    code: 126,
    stdout: "",
    stderr: "outcall-agent: denied: decision log unavailable\n",
  });
  expect(await callSocket(files.hostSocket, "GET", "/api/v1/health")).toMatchObject({
    body: { data: { ready: false, reason: "decision log unavailable" } },
  });
}

async function untilAllowed(files: DaemonFiles): Promise<void> {
  while (!isAllowed(await check(files, "quiet")));
}

/** Writes until the disk is full. */
function fill(path: string): void {
  const fd = openSync(path, "w");
  try {
    for (let size = 65_536; size >= 1; size = size / 2) {
      while (isWritten(fd, size));
    }
  } finally {
    closeSync(fd);
  }
}

function isWritten(fd: number, size: number): boolean {
  try {
    return writeSync(fd, Buffer.alloc(size)) === size;
  } catch (cause) {
    expect(cause).toMatchObject({ code: "ENOSPC" });
    return false;
  }
}

const root = requirement("a full disk", missingRoot());

describe.skipIf(root.skip)(root.label, () => {
  test("turns every decision into a denial, and all goes on when there is room", async () => {
    const files = directories();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", stateOf(files)]);
    expect(mounted.status).toBe(0);
    undo.push(() => void spawnSync("umount", ["-l", stateOf(files)]));
    const daemon = await start(files);
    expect(await check(files, "quiet")).toMatchObject(ALLOWED);
    expect(await check(files, "told")).toMatchObject({
      body: { data: { allowed: false, reason: "ask the operator" } },
    });
    const filler = join(stateOf(files), "filler");
    fill(filler);
    // The current page of the database may have some room left, so a few answers may still succeed.
    for (let tries = 0; !isUnavailable(await check(files, "told")); tries++) expect(tries).toBeLessThan(1_000);
    await expectDenials(files);
    await daemon.record({ event: "decision-log.error" });
    expect(await check(files, "quiet")).toMatchObject(UNAVAILABLE);
    rmSync(filler);
    await untilAllowed(files);
    expect(await check(files, "told")).toMatchObject({
      body: { data: { allowed: false, reason: "ask the operator" } },
    });
    await expectGap(files, 8);
    expect(await callSocket(files.hostSocket, "GET", "/api/v1/health")).toMatchObject({
      body: { data: { ready: true } },
    });
    expect(await daemon.end()).toBe(0);
    expect(await outcallLog(stateOf(files), "verify")).toMatchObject({ code: 0 });
  });

  test("a daemon that finds its disk full at the start does not start", async () => {
    const files = directories();
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", stateOf(files)]).status).toBe(0);
    undo.push(() => void spawnSync("umount", ["-l", stateOf(files)]));
    fill(join(stateOf(files), "filler"));
    const failed = await runDaemon(files).then(() => null, (cause) => String(cause));
    expect(failed).toContain("Error: ");
  });
});

// Lost records are counted, and the next record says how many. Denials while that record is written are counted in a
// second one.
async function expectGap(files: DaemonFiles, least: number): Promise<void> {
  const records = await printedRecords(stateOf(files));
  const gaps = records.filter(({ kind }) => kind === "log.gap");
  const lost = gaps.reduce((sum, { detail }) => sum + Number(JSON.parse(JSON.stringify(detail)).lost), 0);
  expect(lost).toBeGreaterThanOrEqual(least);
  const first = records.findIndex(({ kind }) => kind === "log.gap");
  const [before, gap] = records.slice(first - 1);
  expect(gap).toMatchObject({
    audit: true,
    source: "daemon",
    reason: "records could not be kept",
    detail: { from: expect.any(String), to: expect.any(String) },
  });
  expect(gap?.["previous"]).toBe(before?.["hash"]);
}

test("a database that is taken away denies everything until it is back", async () => {
  const files = directories();
  const daemon = await start(files);
  expect(await check(files, "told")).toMatchObject({ status: 200, body: { data: { reason: "ask the operator" } } });
  const database = join(stateOf(files), "decisions.db");
  renameSync(database, `${database}.away`);
  expect(await check(files, "told")).toMatchObject(UNAVAILABLE);
  await expectDenials(files);
  renameSync(`${database}.away`, database);
  await untilAllowed(files);
  await expectGap(files, 5);
  expect(await daemon.end()).toBe(0);
  expect(await outcallLog(stateOf(files), "verify")).toMatchObject({ code: 0 });
});

test("a head that cannot be written denies everything until it can", async () => {
  const files = directories();
  const daemon = await start(files);
  const aside = join(stateOf(files), "decisions.head.new");
  mkdirSync(aside);
  expect(await check(files, "told")).toMatchObject(UNAVAILABLE);
  await expectDenials(files);
  rmSync(aside, { recursive: true });
  await untilAllowed(files);
  await expectGap(files, 5);
  await daemon.record({ event: "decision-log.available" });
  expect(await daemon.end()).toBe(0);
});
