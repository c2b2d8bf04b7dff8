// Analyses one submitted rule file from standard input in a separate process, and prints the result and the processor
// time it took, which other programs on the machine do not change.
import { createEnvironment } from "../../../src/cel/environment.ts";
import { NAMESPACES, VARIABLES } from "../../../src/core/context.ts";
import { analyzeSubmission } from "../../../src/request/analyze-submission.ts";

const environment = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });
const ruleFile = await Bun.stdin.text();
const before = process.cpuUsage();
const analyzed = analyzeSubmission({ form: "file", ruleFile }, environment);
const { user, system } = process.cpuUsage(before);
const ms = (user + system) / 1_000;
console.log(JSON.stringify({ ms, result: analyzed.ok ? "accepted" : analyzed.error.message }));
