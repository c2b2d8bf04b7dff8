// Analyses of rule requests in the thread of the test, for tests that do not look at threads.
import { ok } from "../../../src/core/result.ts";
import type { Analyze } from "../../../src/request/analysis-thread.ts";
import { doAnalysisJob } from "../../../src/request/analysis-work.ts";
import { createRuleEnvironment } from "../../../src/rule/check-ahead.ts";

const ENVIRONMENT = createRuleEnvironment();

/** Does the job at once, as the thread would; what crosses to it and back is copied. */
export const analyzeHere: Analyze = (job) => {
  return Promise.resolve(ok(structuredClone(doAnalysisJob(structuredClone(job), ENVIRONMENT))));
};
