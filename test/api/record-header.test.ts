// The header that names the record of a denial: present if the denial is on record, absent on every other answer.
import { afterEach, expect, test } from "bun:test";
import { recordId } from "../../src/audit/record-id.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Result } from "../../src/core/result.ts";
import { memoryAudit } from "../support/audit/audit.ts";
import { type AppBench, type BenchOptions, startApps } from "../support/socket/app-bench.ts";
import { askOnce, type RawResponse } from "../support/socket/raw-http.ts";

const RULES = `version: "1"
rules:
  - {id: slow, condition: 'run.tool == "slow"', action: enrich, enrich: {script: a.sh}}
  - {id: no, condition: 'run.tool == "no"', action: block}
  - {id: loud, condition: 'run.tool == "loud"', action: allow, log: true}
  - {id: yes, condition: 'run.tool == "yes"', action: allow}
`;
/** The key that the bench uses. */
const KEY = new Uint8Array(32);

let bench: AppBench | undefined;
afterEach(async () => await bench?.stop());

async function start(options: BenchOptions = {}) {
  const memory = memoryAudit();
  const hang = () => new Promise<Result<JsonObject, string>>(() => {});
  const deps = { audit: memory.audit, runHook: hang };
  bench = await startApps({ rules: RULES, agent: { timeoutMs: 1_500 }, ...options, deps });
  const { agentSocket, hostSocket } = bench;
  const { session_token } = JSON.parse((await askOnce(agentSocket, { path: "/v1/checkin" })).body).data;
  const check = (target: string): Promise<RawResponse> =>
    askOnce(agentSocket, { path: "/v1/permissions/check", body: { action_type: "tool_exec", target, session_token } });
  return { memory, check, hostSocket };
}

test("a denial by a rule, by default and by time-out has the id of its record", async () => {
  const { memory, check } = await start();
  for (const target of ["no", "nothing", "slow"]) {
    const { headers, body } = await check(target);
    expect(JSON.parse(body).data.allowed).toBe(false);
    expect(headers["outcall-record"]).toBe(recordId(KEY, memory.kept.length));
  }
  expect(memory.kept).toHaveLength(3);
});

test("an allow has none, on record or not, nor has a refusal, nor a denial that is not on record", async () => {
  const { memory, check } = await start();
  const answers = [await check("yes"), await check("loud"), await check("")];
  memory.isAvailable = false;
  answers.push(await check("no"));
  expect(answers.map(({ status, headers }) => [status, headers["outcall-record"]])).toEqual([
    [200, undefined],
    [200, undefined],
    [422, undefined],
    [200, undefined],
  ]);
});

test("a blocked what-if has no such header", async () => {
  const { hostSocket } = await start();
  const body = { context: { run: { tool: "no" } } };
  const { status, headers } = await askOnce(hostSocket, { path: "/api/v1/rule/evaluate", body });
  expect([status, headers["outcall-record"]]).toEqual([200, undefined]);
});
