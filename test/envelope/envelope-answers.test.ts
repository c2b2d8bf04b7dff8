// The answers of the agent socket about envelopes, in the order of its checks. They reveal only the operator's notes of
// a rulespec.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { excessOf, type Exchanged, OPERATORS_NOTE } from "../support/agent/answers.ts";
import { bearer, BODY_LIMIT } from "../support/agent/refusals.ts";
import { type AppBench, startApps } from "../support/socket/app-bench.ts";
import { askOnce, type RawRequest } from "../support/socket/raw-http.ts";

const MARK = "planted";
const SPEC = `claims:
- {name: ${MARK}-claim, selector: ${MARK}.selector}
predicates:
- {claim: ${MARK}-claim, rule: equals, value: ${MARK}-value, source: memory, notes: ${OPERATORS_NOTE}}
- {claim: ${MARK}-claim, rule: exists, source: memory}
`;
const PATH = "/v1/envelopes";
const FACTS = "facts: {a: 1}\n";

let dir = "";
let bench: AppBench;
let token = "";
const seen: Exchanged[] = [];

beforeEach(async () => {
  seen.length = 0;
  dir = mkdtempSync(join(tmpdir(), `outcall-${MARK}-`));
  writeFileSync(join(dir, "default.yaml"), SPEC, { mode: 0o600 });
  bench = await startApps({ rulespec: { kind: "dir", path: dir } });
  const { body } = await askOnce(bench.agentSocket, { path: "/v1/checkin" });
  token = JSON.parse(body).data.session_token;
});
afterEach(async () => {
  const leaks = seen.filter(({ response }) => `${JSON.stringify(response)}`.includes(MARK));
  const excess = seen.flatMap(excessOf);
  await bench.stop();
  rmSync(dir, { recursive: true });
  expect({ leaks, excess }).toEqual({ leaks: [], excess: [] });
});

async function ask(
  request: Partial<RawRequest>,
): Promise<{ readonly status: number; readonly error: unknown; readonly data: unknown }> {
  const whole = { path: PATH, headers: bearer(token), ...request };
  const response = await askOnce(bench.agentSocket, whole);
  seen.push({ request: whole, response });
  const { error, data } = JSON.parse(response.body);
  return { status: response.status, error, data };
}

test("201 with the request's status and the operator's words", async () => {
  expect(await ask({ body: { facts: FACTS } })).toMatchObject({
    status: 201,
    data: { outcome: "failed", passed: 0, failed: 2, skipped: 0, total: 2, failures: [OPERATORS_NOTE] },
  });
  expect((await ask({ headers: {}, body: { facts: FACTS, session_token: token } })).status).toBe(201);
});

test("201 even if the rulespec does not load, with the reason in the log only", async () => {
  writeFileSync(join(dir, "default.yaml"), `${MARK}: 1\n`);
  expect(await ask({ body: { facts: FACTS } })).toMatchObject({ status: 201, data: { outcome: "failed", total: 0 } });
  chmodSync(dir, 0o777);
  expect(await ask({ body: { facts: FACTS } })).toMatchObject({ status: 201, data: { outcome: "failed", total: 0 } });
  const troubles = bench.written.filter(({ event }) => event === "envelope.error");
  expect(troubles).toMatchObject([{ fields: { code: "rulespec.schema" } }, { fields: { code: "rulespec.file" } }]);
  expect(JSON.stringify(troubles)).toContain(MARK);
});

test("413, 415, 400, 401, 422, in this order", async () => {
  const long = "x".repeat(BODY_LIMIT + 1);
  expect(await ask({ body: long })).toMatchObject({ status: 413, error: "request body too large" });
  const typed = { ...bearer("x"), "content-type": "text/plain" };
  expect((await ask({ headers: typed, body: { facts: "x" } })).status).toBe(415);
  expect((await ask({ headers: bearer("x"), body: "{" })).status).toBe(400);
  expect(await ask({ headers: bearer("x"), body: {} })).toMatchObject({
    status: 400,
    error: 'invalid request: missing member "facts"',
  });
  expect((await ask({ headers: bearer("x"), body: { facts: FACTS, fact: 1 } })).status).toBe(400);
  expect((await ask({ headers: bearer("x"), body: { facts: { a: 1 } } })).status).toBe(400);
  expect((await ask({ headers: bearer("x"), body: { facts: "nothing" } })).status).toBe(401);
  expect((await ask({ headers: {}, body: { facts: FACTS } })).status).toBe(401);
  expect((await ask({ body: { facts: FACTS, session_token: "x" } })).status).toBe(401);
  expect((await ask({ body: { facts: "{}" } })).status).toBe(422);
});

test("429 after ten in a minute, refused ones included, and a refused envelope changes nothing", async () => {
  for (let count = 0; count < 10; count++) {
    expect((await ask({ body: { facts: count % 2 === 0 ? FACTS : "{}" } })).status).toBe(count % 2 === 0 ? 201 : 422);
  }
  const { status, error } = await ask({ body: { facts: FACTS } });
  expect({ status, error }).toEqual({ status: 429, error: "rate limit exceeded" });
  expect(seen.at(-1)?.response.headers["retry-after"]).toMatch(/^[1-9]\d?$/);
  expect((await ask({ path: "/v1/permissions/check", body: { action_type: "tool_exec", target: "x" } })).status).toBe(
    200,
  );
});

test("a token is misused when it is another container's", async () => {
  const other = await startApps();
  const { body } = await askOnce(other.agentSocket, { path: "/v1/checkin" });
  await other.stop();
  const { status } = await ask({ headers: bearer(JSON.parse(body).data.session_token), body: { facts: FACTS } });
  expect(status).toBe(401);
});
