// The daemon is killed at random points under load: every answered block or logged allow is on record, the chain is
// complete, and the next daemon continues it.
import { roundsOf } from "../support/cases.ts";
import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "bun:test";
import { type DaemonFiles, layOut } from "../support/program/daemon.ts";
import {
  check,
  LOG_RULES,
  marksOf,
  outcallLog,
  printedRecords,
  runDaemon,
  stateOf,
  stopAgents,
} from "../support/audit/decision-log.ts";
import { seededRandom } from "../support/random.ts";

const KILLS = roundsOf(100, 10);
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

/** A plain allow is on disk within 200 ms; its answer may take as long again. */
const QUEUED_MS = 400;

test(`${KILLS} kills lose nothing that was acknowledged (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const files = layOut(LOG_RULES);
  const synced = new Set<string>();
  const queued = new Map<string, number>();
  let count = 0;
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const daemon = await runDaemon(files);
      const load = async (): Promise<void> => {
        for (;;) {
          const mark = `m${count++}`;
          const tool = random.pick(["told", "other", "loud", "quiet"]);
          if (!(await isAnswered(files, tool, mark))) return;
          if (tool === "quiet") queued.set(mark, performance.now());
          else synced.add(mark);
        }
      };
      const loads = Array.from({ length: 8 }, load);
      await wait(random.below(700));
      const killedMs = performance.now();
      await daemon.end("SIGKILL");
      await Promise.all(loads);
      // A plain allow of the last moment may be lost, so it is not checked.
      for (const [mark, answeredMs] of queued) if (killedMs - answeredMs < QUEUED_MS) queued.delete(mark);
      expect({ SEED, kill, ...await outcallLog(stateOf(files), "verify") }).toMatchObject({
        SEED,
        kill,
        code: 0,
        stderr: "",
      });
    }
    const kept = new Set(marksOf(await printedRecords(stateOf(files))));
    expect({ SEED, lost: [...synced].filter((mark) => !kept.has(mark)) }).toEqual({ SEED, lost: [] });
    expect({ SEED, lost: [...queued.keys()].filter((mark) => !kept.has(mark)) }).toEqual({ SEED, lost: [] });
    expect(synced.size).toBeGreaterThan(KILLS);
    const last = await runDaemon(files);
    expect(await last.end()).toBe(0);
    expect(await outcallLog(stateOf(files), "verify")).toMatchObject({ code: 0 });
  } finally {
    stopAgents();
    rmSync(files.dir, { recursive: true, force: true });
  }
}, 30_000 + KILLS * 4_000);

// The kill is the reason if there is no answer.
async function isAnswered(files: DaemonFiles, tool: string, mark: string): Promise<boolean> {
  try {
    const { status } = await check(files, tool, mark);
    expect(status).toBe(200);
    return true;
  } catch (cause) {
    if (
      cause instanceof Error &&
      /ECONN|ENOENT|hang up|closed|JSON/i.test(`${cause} ${"code" in cause ? cause.code : ""}`)
    ) return false;
    throw cause;
  }
}
