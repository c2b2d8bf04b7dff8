// The time to load rules: in a daemon that only checks them (`--check`), and in one that serves requests during the
// load.
import { rmSync } from "node:fs";
import { callSocket, daemonArgv, layOut, type RuleFiles } from "../test/support/program/daemon.ts";
import { latenciesOf, outputOf } from "./in-container.ts";
import { type Rig, startRig } from "./rig.ts";
import { compare, type Measured, summarize } from "./rounds.ts";
import { type Section, under } from "./section.ts";
import { ALLOWED, HUNDRED_RULES } from "./socket.ts";
import type { Load } from "./socket-client.ts";
import { conditionsOf, filesOf } from "./workload.ts";

const ROUNDS = 5;
const SERVED_ROUNDS = 3;
const STEADY: Load["mode"] = { kind: "rate", perSecond: 200, connections: 50, seconds: 3 };

/** Measures loads. */
export async function measureLoad(): Promise<Section> {
  const large = rulesOf(10_000);
  const files = layOut(large);
  const none = layOut({});
  const checked = await compare([
    { name: "outcalld --check, no rules", measure: () => timeOf(daemonArgv(none, ["--check"])) },
    { name: "outcalld --check, 10,000 rules", measure: () => timeOf(daemonArgv(files, ["--check"])) },
  ], ROUNDS);
  for (const { dir } of [files, none]) rmSync(dir, { recursive: true });
  const [reloads10k, waits10k] = await measureServed(large);
  const [reloads1k, waits1k] = await measureServed(rulesOf(1_000));
  return {
    title: "Loading rules",
    notes: [
      "The mixed workload in files of 1,000 rules. `--check` is measured as a whole process: start, read, parse, check, compile, analyse. The reloads are measured in a daemon that reloads continuously, while a client sends 200 requests a second over 50 connections. The longest wait shows how long a reload blocks the event loop.",
    ],
    rows: [
      {
        what: "10,000 rules",
        unit: "ms",
        measured: checked,
        ratio: under(checked, "outcalld --check, 10,000 rules", 1_500, "ms"),
      },
      {
        what: "One reload of 10,000 rules under load",
        unit: "ms",
        measured: reloads10k,
        ratio: under(reloads10k, "reload", 1_500, "ms"),
      },
      { what: "Longest wait of a request, 10,000 rules", unit: "ms", measured: waits10k, ratio: more(waits10k) },
      { what: "One reload of 1,000 rules under load", unit: "ms", measured: reloads1k, ratio: null },
      { what: "Longest wait of a request, 1,000 rules", unit: "ms", measured: waits1k, ratio: more(waits1k) },
    ],
  };
}

const QUIET = "without reloads";
const RELOADING = "with continuous reloads";

// The hundred base rules are always included; one of them allows the request that is sent during the load.
function rulesOf(count: number): RuleFiles {
  const generated = filesOf(conditionsOf(count - 100, "mixed")).map(({ name, text }) => [name, text] as const);
  return { ...Object.fromEntries(generated), "zz.yaml": HUNDRED_RULES.replaceAll("id: r", "id: s") };
}

function more(waits: readonly Measured[]) {
  const [quiet = NaN, reloading = NaN] = [QUIET, RELOADING].map((name) =>
    waits.find((each) => each.name === name)?.median ?? NaN
  );
  const value = reloading - quiet;
  return { of: `Additional wait ${RELOADING}`, value, bound: "at most 50 ms", isReached: value <= 50 };
}

async function measureServed(rules: RuleFiles): Promise<readonly [readonly Measured[], readonly Measured[]]> {
  const rig = await startRig(rules);
  const reloads: number[] = [];
  try {
    const waits = await compare([
      { name: QUIET, measure: () => longestWait(rig) },
      { name: RELOADING, measure: () => whileReloading(rig, reloads) },
    ], SERVED_ROUNDS);
    return [[{ name: "reload", ...summarize(reloads) }], waits];
  } finally {
    await rig.stop();
  }
}

async function longestWait({ files }: Rig): Promise<number> {
  const load: Load = { socket: files.agentSocket, checksIn: true, body: ALLOWED, mode: STEADY };
  return (await latenciesOf(load)).at(-1) ?? NaN;
}

async function whileReloading(rig: Rig, reloads: number[]): Promise<number> {
  let isAsked = true;
  const waiting = longestWait(rig).finally(() => (isAsked = false));
  while (isAsked) {
    const startMs = performance.now();
    const { status } = await callSocket(rig.files.hostSocket, "POST", "/api/v1/rules/reload");
    if (status !== 200) throw new Error(`reload: ${status}`);
    reloads.push(performance.now() - startMs);
  }
  return await waiting;
}

async function timeOf([program = "", ...args]: readonly string[]): Promise<number> {
  const startMs = performance.now();
  await outputOf(program, args);
  return performance.now() - startMs;
}
