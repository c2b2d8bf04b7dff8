// Decisions without a socket: Outcall's engine, with its index and by scanning, compared with four other engines on the
// same rules and the same request.
import { evaluateRules } from "../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../src/rule/load-rules.ts";
import { type RuleSet, withoutIndex } from "../src/rule/rule-set.ts";
import { cedarScan } from "./cedar.ts";
import { bufbuildScan, chevrotainScan, libraryScan } from "./engines.ts";
import { compare, microsecondsOf } from "./rounds.ts";
import { atLeast, atMost, type Section } from "./section.ts";
import { conditionsOf, filesOf, REQUEST, type WorkloadKind } from "./workload.ts";

const ROUNDS = 7;

const LOOKED_UP = "outcall";
const SCANNED = "outcall, without the index";
const LIBRARY = "@marcbachmann/cel-js";

/** Measures scans. */
export async function measureScans(): Promise<Section> {
  const mixed = conditionsOf(1_000, "mixed");
  const set = load(1_000, "mixed");
  const plain = withoutIndex(set);
  const last = mixed.length - 1;
  const scans = [
    { name: LOOKED_UP, run: () => evaluateRules(set, REQUEST).decision.matched_rule === `r${last}` },
    { name: SCANNED, run: () => evaluateRules(plain, REQUEST).decision.matched_rule === `r${last}` },
    { name: LIBRARY, run: positioned(libraryScan(mixed), last) },
    { name: "@bufbuild/cel", run: positioned(bufbuildScan(mixed), last) },
    {
      name: "cel-js, without the 200 rules that use string functions",
      run: positioned(chevrotainScan(mixed), last - 200),
    },
    { name: "@cedar-policy/cedar-wasm", run: cedarScan(mixed) },
  ];
  for (const { name, run } of scans) if (!run()) throw new Error(`${name} gives a wrong decision`);
  const measured = await compare(scans.map(({ name, run }) => ({ name, measure: () => microsecondsOf(run) })), ROUNDS);

  const sizes = [10, 1_000, 10_000];
  const keyed = await compare(
    sizes.map((count) => {
      const of = load(count, "host");
      return { name: `${count} rules`, measure: () => microsecondsOf(() => evaluateRules(of, REQUEST)) };
    }),
    ROUNDS,
  );
  return {
    title: "Decisions",
    notes: [
      "The time of one decision inside a process, without a socket. The rules are loaded, and the last one matches the request.",
    ],
    rows: [
      { what: "1,000 mixed rules", unit: "µs", measured, ratio: atLeast(measured, LIBRARY, LOOKED_UP, 8) },
      {
        what: "The same rules, without the index",
        unit: "µs",
        measured: measured.slice(1, 3),
        ratio: atLeast(measured, LIBRARY, SCANNED, 1),
      },
      {
        what: "Rules that test the hostname",
        unit: "µs",
        measured: keyed,
        ratio: atMost(keyed, "10000 rules", "10 rules", 2),
      },
    ],
  };
}

function load(count: number, kind: WorkloadKind): RuleSet {
  const { set } = loadRuleFiles(filesOf(conditionsOf(count, kind)));
  if (set === null) throw new Error("the workload does not load");
  return set;
}

function positioned(scan: () => number, position: number): () => boolean {
  return () => scan() === position;
}
