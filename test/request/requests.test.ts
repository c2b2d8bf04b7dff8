// The queue of rule requests and its decisions: limits per container, the requirements of an approval, and the answers
// to agent and operator.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ALL_WAITING_LIMIT, REASON_LIMIT_BYTES, WAITING_LIMIT } from "../../src/request/requests.ts";
import type { ApproveBody } from "../../src/wire/request-host.ts";
import { BUILDER, fileOf, OPERATOR, OTHER, RequestBench, ruleOf } from "../support/request/bench.ts";

const LIVE = `version: "1"
rules:
  - {id: gh, condition: 'network.hostname == "github.com"', action: allow}
  - {id: evil, condition: 'network.hostname in ["evil.example"]', action: block}
`;

// Adding a thousand requests syncs the disk a thousand times.
setDefaultTimeout(60_000);

let bench: RequestBench;

beforeEach(() => {
  bench = new RequestBench({ "00.yaml": LIVE });
});

afterEach(() => bench.dispose());

const approve = (id: string, body: ApproveBody = {}) => bench.requests.approve(id, body, OPERATOR);
const host = (name: string) => ruleOf(`network.hostname == "${name}"`);

async function digestOf(id: string): Promise<string> {
  const view = await bench.requests.view(id);
  if (!view.ok) throw new Error(view.error.message);
  return view.value.request.digest;
}

describe("S003-AS-012, FR-025 submitting", () => {
  test("a request waits, and changes nothing", async () => {
    const digest = bench.live.digest;
    const id = await bench.submit(host("a.example"));
    expect(id).toMatch(/^rr-[0-9a-f]{12}$/);
    expect(bench.requests.list("pending")).toMatchObject({
      ok: true,
      value: [{ id, status: "pending", reason: null }],
    });
    expect([bench.live.digest, bench.files()]).toEqual([digest, ["00.yaml"]]);
  });

  test("S003-EC-017, S004-EC-009 a request for something already allowed is accepted like any other, and the operator sees that", async () => {
    const ids = await Promise.all(["github.com", "gitlab.com"].map((name) => bench.submit(host(name))));
    const views = await Promise.all(ids.map((id) => bench.requests.view(id)));
    expect(views.map((view) => view.ok && view.value.proposal?.already_allowed)).toEqual([true, false]);
    const covers = views.map((view) => view.ok && view.value.proposal?.rules[0]?.covered_by);
    expect(covers).toEqual([[{ rule: "gh", file: "00.yaml", action: "allow" }], []]);
  });

  test("an identical pending request gives the same id, in the same container only", async () => {
    const first = await bench.submit(host("a.example"));
    expect(await bench.submit(host("a.example"))).toBe(first);
    expect(await bench.submit(host("a.example"), OTHER)).not.toBe(first);
    expect(await bench.submit(ruleOf(`network.hostname == "a.example"`, "block"))).not.toBe(first);
  });

  test("an identical text is a new request once the first is decided", async () => {
    const first = await bench.submit(host("a.example"));
    await bench.requests.deny(first, null, OPERATOR);
    expect(await bench.submit(host("a.example"))).not.toBe(first);
  });

  test(`request.too-many: ${WAITING_LIMIT} wait for one container, and no more; an identical one is still answered`, async () => {
    const names = Array.from({ length: WAITING_LIMIT }, (_, index) => `h${index}.example`);
    const ids = await Promise.all(names.map((name) => bench.submit(host(name))));
    const refused = await bench.requests.submit(BUILDER, host("one-more.example"));
    expect(refused).toMatchObject({ ok: false, error: { code: "request.too-many" } });
    expect(await bench.submit(host("h0.example"))).toBe(ids[0] ?? "");
    expect(await bench.submit(host("one-more.example"), OTHER)).toMatch(/^rr-/);
    await bench.requests.deny(ids[7] ?? "", null, OPERATOR);
    expect(await bench.submit(host("one-more.example"))).toMatch(/^rr-/);
  });

  test("request.too-many: so many wait in all", async () => {
    for (let index = 0; index < ALL_WAITING_LIMIT; index++) {
      await bench.submit(host("a.example"), { ...BUILDER, id: `container-${index}` });
    }
    expect(await bench.requests.submit(OTHER, host("a.example"))).toMatchObject({
      error: { code: "request.too-many" },
    });
  });

  test("request.unacceptable and the analysis's codes: nothing of it is kept", async () => {
    expect(await bench.requests.submit(BUILDER, ruleOf("true) || (true"))).toMatchObject({
      error: { code: "rule.cel-syntax" },
    });
    expect(await bench.requests.submit(BUILDER, fileOf())).toMatchObject({ error: { code: "request.unacceptable" } });
    expect(await bench.requests.submit(BUILDER, ruleOf(`${"!".repeat(63)}run.parsed`))).toMatchObject({ ok: false });
    expect(bench.requests.list(null)).toEqual({ ok: true, value: [] });
  });

  test("S004-FR-012 only the container that asked can look, and another's request is as unknown as none", async () => {
    const id = await bench.submit(host("a.example"));
    expect(bench.requests.findOf(BUILDER.id, id)).toMatchObject({ ok: true, value: { id } });
    const unknown = (asked: string) => ({
      ok: false,
      error: { code: "request.not-found", message: `rule request ${asked} not found` },
    });
    expect(bench.requests.findOf(OTHER.id, id)).toMatchObject(unknown(id));
    expect(bench.requests.findOf(OTHER.id, "rr-000000000000")).toMatchObject(unknown("rr-000000000000"));
    expect(bench.requests.findOf(OTHER.id, "\n")).toMatchObject(unknown("\\u{a}"));
  });
});

describe("S003-AS-013, FR-026 approving", () => {
  test("writes a private file, loads it, and tells both sides", async () => {
    const id = await bench.submit(host("a.example"));
    const digest = await digestOf(id);
    const file = `90-agent-${id}.yaml`;
    expect(await approve(id, { digest })).toMatchObject({
      ok: true,
      value: { id, status: "approved", reason: null, digest },
    });
    expect(statSync(join(bench.rulesDir, file)).mode & 0o777).toBe(0o600);
    expect(bench.files()).toEqual(["00.yaml", file]);
    expect(bench.live.rules.map((rule) => rule.id)).toEqual(["gh", "evil", `agent-${id}`]);
    expect(bench.requests.findOf(BUILDER.id, id)).toMatchObject({ value: { state: { status: "approved" } } });
    expect(bench.events.map(({ kind }) => kind)).toEqual(["approving", "approved"]);
    expect(bench.events[1]).toEqual({
      ...{ kind: "approved", request: id, container: BUILDER.id, at: "2026-11-21T12:00:00.000Z", by: OPERATOR },
      ...{ digest, file, rules: [`agent-${id}`], reason: null },
    });
    bench.restart();
    expect(await bench.requests.view(id)).toMatchObject({
      value: { proposal: null, decided: { uid: 0, name: "root", file, at: "2026-11-21T12:00:00.000Z" } },
    });
  });

  test("request.not-found and request.not-pending", async () => {
    const message = 'rule request "rr-000000000000" not found';
    expect(await approve("rr-000000000000")).toMatchObject({ error: { code: "request.not-found", message } });
    expect(await bench.requests.deny("rr-000000000000", null, OPERATOR)).toMatchObject({ error: { message } });
    expect(await bench.requests.view("rr-000000000000")).toMatchObject({ error: { message } });
    const id = await bench.submit(host("a.example"));
    await approve(id);
    const decided = { code: "request.not-pending", message: `rule request "${id}" is not pending: it is approved` };
    expect(await approve(id)).toMatchObject({ error: decided });
    expect(await bench.requests.deny(id, null, OPERATOR)).toMatchObject({ error: decided });
  });

  test("of two approvals at once one is made", async () => {
    const id = await bench.submit(host("a.example"));
    const outcomes = await Promise.all([approve(id), approve(id), approve(id)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(outcomes[1]).toMatchObject({ error: { code: "request.not-pending" } });
  });

  test("request.changed (P8): the digest is that of the request and of the rules beside it", async () => {
    const id = await bench.submit(host("a.example"));
    const digest = await digestOf(id);
    expect(await approve(id, { digest: await digestOf(await bench.submit(host("b.example"))) })).toMatchObject({
      error: { code: "request.changed" },
    });
    bench.writeRules("01.yaml", `version: "1"\nrules: [{id: new, condition: run.parsed, action: block}]\n`);
    await bench.reload();
    expect(await approve(id, { digest })).toMatchObject({ error: { code: "request.changed" } });
    expect(await approve(id, { digest: await digestOf(id) })).toMatchObject({ ok: true });
  });

  const covered = [
    { note: "a block", condition: 'network.hostname == "evil.example"', by: "evil" },
    { note: "an allow", condition: 'network.hostname == "github.com"', by: "gh" },
  ];
  for (const { note, condition, by } of covered) {
    test(`rule.unreachable: what ${note} always decides before is refused, by name, and only force gets it through`, async () => {
      const id = await bench.submit(ruleOf(condition));
      const message = `rule "agent-${id}" could never be reached: rule "${by}" of "00.yaml" decides before it`;
      expect(await approve(id)).toMatchObject({ error: { code: "rule.unreachable", message } });
      expect(bench.files()).toEqual(["00.yaml"]);
      expect(await approve(id, { force: true })).toMatchObject({ ok: true });
    });
  }

  test("a rule that says true hides every request, but for one that comes before it", async () => {
    bench.writeRules("99.yaml", `version: "1"\nrules: [{id: all, condition: 'true', action: block, priority: 500}]\n`);
    await bench.reload();
    const id = await bench.submit(host("a.example"));
    expect(await approve(id)).toMatchObject({ error: { code: "rule.unreachable" } });
    expect(await approve(id, { priority: 499 })).toMatchObject({ ok: true });
  });

  test("a rule of the same request can hide another", async () => {
    const id = await bench.submit(
      fileOf("id: a, condition: run.parsed, action: allow", "id: b, condition: run.parsed, action: block"),
    );
    const message = `rule "b" could never be reached: rule "a" of "90-agent-${id}.yaml" decides before it`;
    expect(await approve(id)).toMatchObject({ error: { message } });
  });

  test("rule.duplicate-id: the id of another rule is refused, and only the operator sees its name", async () => {
    const id = await bench.submit(fileOf("id: gh, condition: run.parsed, action: allow"));
    const message = 'rule id "gh" is already used at 00.yaml:3';
    expect(await bench.requests.view(id)).toMatchObject({ value: { problem: message } });
    expect(await approve(id)).toMatchObject({ error: { code: "rule.duplicate-id", message } });
    expect(await approve(id, { rule_id: "own" })).toMatchObject({ ok: true });
    expect(bench.live.rules.map((rule) => rule.id)).toEqual(["gh", "evil", "own"]);
  });

  test("a file name that is in use is refused, and the existing file stays", async () => {
    mkdirSync(join(bench.rulesDir, "dir.yaml"));
    symlinkSync("nowhere", join(bench.rulesDir, "link.yaml"));
    const id = await bench.submit(host("a.example"));
    for (const name of ["00.yaml", "dir.yaml", "link.yaml"]) {
      const message = `rule request: file "${name}" exists already`;
      expect(await approve(id, { file_name: name })).toMatchObject({
        error: { code: "request.unacceptable", message },
      });
    }
    expect([bench.files(), bench.read("00.yaml")]).toEqual([["00.yaml", "dir.yaml", "link.yaml"], LIVE]);
  });

  test("for all containers, with another condition, priority and name", async () => {
    const id = await bench.submit(ruleOf("true"));
    const body = { global: true, condition: "run.tool == 'x'", priority: 7, rule_id: "x", file_name: "10-x.yaml" };
    expect(await approve(id, body)).toMatchObject({ ok: true });
    expect(bench.live.rules[0]).toMatchObject({ id: "x", file: "10-x.yaml", priority: 7, normal: 'run.tool == "x"' });
  });

  test("words without a condition need one", async () => {
    const id = await bench.submit({
      form: "access",
      description: "d",
      requestedAccess: "npm",
      suggestedCondition: null,
    });
    const message = "rule request: it has no condition; give one with the approval";
    expect(await bench.requests.view(id)).toMatchObject({ value: { proposal: null, problem: message } });
    expect(await approve(id)).toMatchObject({ error: { code: "request.unacceptable", message } });
    expect(await approve(id, { condition: 'dns.query == "npm"' })).toMatchObject({ ok: true });
    expect(bench.live.rules.at(-1)).toMatchObject({ id: `agent-${id}`, action: "allow", description: "d" });
  });
});

describe("S003-AS-014 denying", () => {
  test("gives the reason to the requester, and is stored", async () => {
    const id = await bench.submit(host("a.example"));
    const digest = await digestOf(id);
    expect(await bench.requests.deny(id, "not now", OPERATOR)).toMatchObject({
      value: { status: "rejected", reason: "not now", digest },
    });
    expect(bench.events).toEqual([{
      ...{ kind: "denied", request: id, container: BUILDER.id, at: "2026-11-21T12:00:00.000Z", by: OPERATOR },
      ...{ digest, file: null, rules: [], reason: "not now" },
    }]);
    bench.restart();
    expect(bench.requests.findOf(BUILDER.id, id)).toMatchObject({
      value: { state: { status: "rejected", reason: "not now" } },
    });
    expect(bench.requests.list("rejected")).toMatchObject({ value: [{ id, reason: "not now", digest }] });
    expect(bench.requests.list("approved")).toEqual({ ok: true, value: [] });
  });

  const reasons: readonly (readonly [note: string, reason: string, ok: boolean])[] = [
    ["at the limit", "é".repeat(REASON_LIMIT_BYTES / 2), true],
    ["past the limit", `${"é".repeat(REASON_LIMIT_BYTES / 2)}x`, false],
    ["empty", "", false],
    ["a line break", "a\nb", false],
    ["an escape", "\u001b[31m", false],
    ["a line separator", "\u2028", false],
    ["half a character", "\ud800", false],
  ];
  for (const [note, reason, isAccepted] of reasons) {
    test(`a reason: ${note}`, async () => {
      const id = await bench.submit(host("a.example"));
      const denied = await bench.requests.deny(id, reason, OPERATOR);
      expect(denied).toMatchObject(isAccepted ? { ok: true } : { error: { code: "request.unacceptable" } });
    });
  }
});
