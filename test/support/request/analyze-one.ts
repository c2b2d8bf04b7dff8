// Analyses one submitted rule file from standard input in a separate process, and prints the result and the time it
// took.
import { createEnvironment } from "../../../src/cel/environment.ts";
import { NAMESPACES, VARIABLES } from "../../../src/core/context.ts";
import { analyzeSubmission } from "../../../src/request/analyze-submission.ts";

const environment = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });
const ruleFile = await Bun.stdin.text();
const startMs = performance.now();
const analyzed = analyzeSubmission({ form: "file", ruleFile }, environment);
const ms = performance.now() - startMs;
console.log(JSON.stringify({ ms, result: analyzed.ok ? "accepted" : analyzed.error.message }));
