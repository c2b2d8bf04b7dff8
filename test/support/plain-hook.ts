// Runs a hook as plainly as can be: one process, waited for. What a runner must add (limits, waiting, safety) is tested
// where the runner is.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { RunHook } from "../../src/rule/evaluate.ts";

/** Runs the hooks of a rules directory. */
export function plainHooks(dir: string): RunHook {
  return (rule, input) => {
    const { script = "", timeoutMs = 0 } = rule.enrich ?? {};
    const run = spawnSync(join(dir, script), {
      cwd: dir,
      env: { PATH: "/usr/bin:/bin", OUTCALL_RULE_ID: rule.id },
      input: JSON.stringify(input),
      timeout: timeoutMs,
      encoding: "utf8",
    });
    if (run.status !== 0) return Promise.resolve({ ok: false, error: `status ${run.status}` });
    return Promise.resolve({ ok: true, value: JSON.parse(run.stdout) });
  };
}
