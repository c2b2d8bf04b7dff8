// Analyses rule requests in the thread of the test, for tests that are not about threads.
import { ok } from "../../../src/core/result.ts";
import type { Analyze } from "../../../src/request/analysis-thread.ts";
import { doAnalysisJob } from "../../../src/request/analysis-work.ts";
import { createRuleEnvironment } from "../../../src/rule/check-ahead.ts";

const ENVIRONMENT = createRuleEnvironment();

/** Does the job at once, like the worker thread would; arguments and results are copied like between threads. */
export const analyzeHere: Analyze = (job) => {
  return Promise.resolve(ok(structuredClone(doAnalysisJob(structuredClone(job), ENVIRONMENT))));
};
