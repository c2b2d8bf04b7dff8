// The worker thread that analyses rule requests: the texts of its refusals, and that nothing else in the daemon does
// this work.
import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { URL } from "node:url";
import { meaningOf } from "../../src/core/problem.ts";
import type { AnalysisJob } from "../../src/request/analysis-jobs.ts";
import { ANALYSIS_LIMITS, type AnalysisOptions, AnalysisThread, OPERATOR } from "../../src/request/analysis-thread.ts";
import { analyzeHere } from "../support/request/analyze-here.ts";
import { BUILDER, RequestBench, ruleOf } from "../support/request/bench.ts";
import { BOMBS } from "../support/request/bombs.ts";

const DAEMON = new URL("../../src/outcalld.ts", import.meta.url);
const HOSTILE = new URL("../support/thread/hostile-worker.ts", import.meta.url);

const threads: AnalysisThread[] = [];
const failures: string[] = [];
function open(options: Partial<AnalysisOptions> = {}): AnalysisThread {
  const thread = new AnalysisThread({ program: DAEMON, onFailure: (reason) => failures.push(reason), ...options });
  threads.push(thread);
  return thread;
}
afterEach(async () => {
  failures.length = 0;
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

function jobOf(condition: string, description = "x"): AnalysisJob {
  return {
    kind: "submission",
    request: { id: "rr-000000000000", requester: BUILDER, submission: ruleOf(condition, "allow", description) },
  };
}

test("A6: the daemon's own entry analyses as the same work does here", async () => {
  const thread = open();
  for (const job of [jobOf("run.parsed"), jobOf("true) || (true"), jobOf('run.tool.matches("(")')]) {
    expect(await thread.analyze(job, BUILDER.id)).toEqual(await analyzeHere(job, BUILDER.id));
  }
});

test.each([
  ["spin", "its analysis takes too long", { jobMs: 100 }],
  ["grow", "its analysis takes too much memory", { growthBytes: 64 * 1024 * 1024 }],
])("A6: an analysis that would '%s' is refused with rule.limit: %s", async (description, reason, limits) => {
  const thread = open({ program: HOSTILE, ...limits });
  expect(await thread.analyze(jobOf("run.parsed", description), BUILDER.id)).toMatchObject({
    ok: false,
    error: { code: "rule.limit", message: `rule request: ${reason}` },
  });
  expect(failures).toEqual([]);
});

test("A6: a failed thread is logged for the operator, and the agent only learns that it may ask again", async () => {
  const thread = open({ program: HOSTILE });
  const refused = await thread.analyze(jobOf("run.parsed", "throw"), BUILDER.id);
  expect(refused).toMatchObject({
    ok: false,
    error: { code: "request.not-analyzed", message: "the rule request cannot be analysed now" },
  });
  expect(meaningOf("request.not-analyzed").status).toBe(503);
  expect(failures).toEqual([expect.stringContaining("thrown")]);
});

test("A6: a container may have a limited number of waiting analyses; the operator waits for at most one of them", async () => {
  const thread = open();
  const done: string[] = [];
  const ask = async (name: string, requester: string) => {
    const reply = await thread.analyze(jobOf("run.parsed"), requester);
    done.push(reply.ok ? name : reply.error.message);
  };
  const count = 1 + ANALYSIS_LIMITS.waitingPerKey;
  await Promise.all([
    ...Array.from({ length: count + 1 }, (_, at) => ask(`agent ${at}`, BUILDER.id)),
    ask("operator", OPERATOR),
  ]);
  expect(done).toEqual([
    "too many rule requests are being analysed",
    "agent 0",
    "agent 1",
    "operator",
    ...Array.from({ length: count - 2 }, (_, at) => `agent ${at + 2}`),
  ]);
});

test("A6: 21 rules are refused before any of them is compiled", async () => {
  const bomb = BOMBS.find(({ note }) => note.startsWith("21 rules"))?.body["rule_file"] ?? "";
  const submission = { form: "file", ruleFile: bomb } as const;
  const job = { kind: "submission", request: { id: "rr-000000000000", requester: BUILDER, submission } } as const;
  // If they were compiled, each of these rules would already be refused for its type.
  const broken = {
    ...job,
    request: { ...job.request, submission: { ...submission, ruleFile: bomb.replaceAll("run.tool", "run.nope") } },
  };
  for (const each of [job, broken]) {
    expect(await analyzeHere(each, BUILDER.id)).toMatchObject({
      value: { kind: "refused", problem: { message: "rule request: 21 rules, at most 20 are allowed" } },
    });
  }
});

test("A6: an operator who looks again has nothing analysed again, until the rules change", async () => {
  let analyses = 0;
  const bench = new RequestBench({}, (job, requester) => {
    analyses++;
    return analyzeHere(job, requester);
  });
  const id = await bench.submit(ruleOf('target == "/a"'));
  expect(analyses).toBe(1);
  const first = await bench.requests.view(id);
  expect([await bench.requests.view(id), analyses]).toEqual([first, 2]);
  bench.writeRules("00.yaml", 'version: "1"\nrules: [{id: a, condition: target == "/a", action: allow}]\n');
  await bench.reload();
  expect(await bench.requests.view(id)).toMatchObject({ value: { proposal: { already_allowed: true } } });
  expect(analyses).toBe(3);
  bench.dispose();
});

test("A6: rules that change while an approval is analysed make it ask again", async () => {
  const bench = new RequestBench({}, async (job, requester) => {
    const reply = await analyzeHere(job, requester);
    if (job.kind === "proposal") {
      bench.writeRules("00.yaml", 'version: "1"\nrules: [{id: a, condition: "true", action: block}]\n');
      await bench.reload();
    }
    return reply;
  });
  const id = await bench.submit(ruleOf('target == "/a"'));
  expect(await bench.requests.approve(id, {}, { uid: 0, name: "root" })).toMatchObject({
    ok: false,
    error: { code: "request.changed" },
  });
  expect(bench.files()).toEqual(["00.yaml"]);
  bench.dispose();
});

test("A6: only the daemon's worker does the work of the thread", () => {
  const src = new URL("../../src/", import.meta.url).pathname;
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const importing = (module: string) =>
    files.filter((name) =>
      new RegExp(`^import (?!type )[^;]*/${module}"`, "m").test(readFileSync(join(src, name), "utf8"))
    );
  expect(importing("analysis-work.ts")).toEqual(["daemon/worker.ts"]);
  const work = ["request/analysis-work.ts"];
  expect([importing("analyze-submission.ts"), importing("propose.ts")]).toEqual([work, work]);
});
