// `bun scripts/gate.ts full|nightly|daily`: runs every step of a gate, even after a failure, and prints the counts at
// the end.
import { fail, runMain } from "./failure.ts";
import { runCheck, runTests } from "./gate/run-step.ts";
import { gateOf } from "./gate/steps.ts";
import { addTallies, countSkippedAsFailed, EMPTY_TALLY, formatTally } from "./gate/tally.ts";

await runMain(() => {
  const gate = gateOf(process.argv[2] ?? "");
  if (gate === undefined) return fail("usage: bun scripts/gate.ts full|nightly|daily");
  const checks = gate.checks.map(runCheck).reduce(addTallies, EMPTY_TALLY);
  const all = addTallies(checks, runTests(gate.tests));
  const tally = process.env["CI"] === "true" ? countSkippedAsFailed(all) : all;
  console.log(`\n${formatTally(tally)}`);
  return tally.failed === 0 ? 0 : 1;
});
