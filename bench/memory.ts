// Resident memory of an idle daemon, compared with the smallest program that could be a daemon.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { program } from "../test/support/program/programs.ts";
import { latenciesOf } from "./in-container.ts";
import { type Rig, startListener, startRig } from "./rig.ts";
import { compare, type Measured, type Variant } from "./rounds.ts";
import { atMost, type Section } from "./section.ts";
import { compileBench } from "./shim.ts";
import { ALLOWED, HUNDRED_RULES } from "./socket.ts";
import { conditionsOf, filesOf } from "./workload.ts";

const ROUNDS = 3;

/** How long a process stays idle before its memory is read, in milliseconds. */
const SETTLE_MS = 3_000;

/** Measures memory when idle and again after the given number of checks. */
export async function measureMemory(checks: number): Promise<Section> {
  const dir = mkdtempSync(join(tmpdir(), "outcall-bench-"));
  const bare = copyOf(compileBench("bare-elysia", dir), dir);
  const [daemon = ""] = program("outcalld");
  const command = [copyOf(daemon, dir)];
  const large = filesOf(conditionsOf(10_000, "mixed")).map(({ name, text }) => [name, text] as const);
  const variants: readonly Variant[] = [
    { name: BARE, measure: () => bareMemory(bare, join(dir, "listens")) },
    { name: IDLE, measure: () => rigMemory(command, { "a.yaml": HUNDRED_RULES }, settle) },
    { name: "outcalld, 10,000 rules", measure: () => rigMemory(command, Object.fromEntries(large), settle) },
  ];
  try {
    const idle = await compare(variants, ROUNDS);
    const busy = await rigMemory(command, { "a.yaml": HUNDRED_RULES }, (rig) => ask(rig, checks));
    const after: Measured = {
      name: `outcalld, 100 rules, after ${checks} checks`,
      median: busy,
      low: busy,
      high: busy,
    };
    const measured = [...idle, after];
    return {
      title: "Memory",
      notes: [
        `Resident memory (\`VmRSS\`), ${
          SETTLE_MS / 1_000
        } s after the last activity. It includes the mapped pages of the program's file, whose number depends on how the file was written. So both programs are first copied in the same way.`,
      ],
      rows: [{ what: "Idle", unit: "MiB", measured, ratio: atMost(measured, IDLE, BARE, 1.5) }],
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const BARE = "compiled program with one Elysia route";
const IDLE = "outcalld, 100 rules";

// The size of one write when most installers copy a file.
const COPIED_BYTES = 64 * 1024;

function copyOf(path: string, dir: string): string {
  const bytes = readFileSync(path);
  const copy = join(dir, `copied-${basename(path)}`);
  for (let from = 0; from < bytes.length; from += COPIED_BYTES) {
    writeFileSync(copy, bytes.subarray(from, from + COPIED_BYTES), { flag: "a", mode: 0o755 });
  }
  return copy;
}

async function bareMemory(program: string, path: string): Promise<number> {
  const { child, stop } = await startListener(program, [path], path);
  await settle();
  const memory = residentMiB(child.pid);
  await stop();
  rmSync(path);
  return memory;
}

async function rigMemory(
  command: readonly string[],
  rules: Record<string, string>,
  use: (rig: Rig) => Promise<unknown>,
): Promise<number> {
  const rig = await startRig(rules, command);
  try {
    await use(rig);
    return residentMiB(rig.child.pid);
  } finally {
    await rig.stop();
  }
}

async function ask({ files }: Rig, requests: number): Promise<void> {
  const mode = { kind: "count", requests, connections: 16 } as const;
  await latenciesOf({ socket: files.agentSocket, checksIn: true, body: ALLOWED, mode });
  await settle();
}

function settle(): Promise<unknown> {
  return setTimeout(SETTLE_MS);
}

function residentMiB(pid: number | undefined): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1_024;
}
