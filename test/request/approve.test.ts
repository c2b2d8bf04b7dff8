// The state after a failed or interrupted approval, for each step: the old rules, no new file, and a request that is
// pending again.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { problem } from "../../src/core/problem.ts";
import { err, ok } from "../../src/core/result.ts";
import { noteOf, removeApproved, writeApproved } from "../../src/request/approved-file.ts";
import { recoverRequests } from "../../src/request/recover.ts";
import { OPERATOR, RequestBench, ruleOf } from "../support/request/bench.ts";

const LIVE = `version: "1"\nrules: [{id: gh, condition: 'network.hostname == "github.com"', action: allow}]\n`;

let bench: RequestBench;
let id = "";

beforeEach(async () => {
  bench = new RequestBench({ "00.yaml": LIVE });
  id = await bench.submit(ruleOf("run.parsed"));
});

afterEach(() => bench.dispose());

function expectUndone(): void {
  expect(bench.files().filter((name) => name.includes("agent"))).toEqual([]);
  expect(bench.live.rules.map((rule) => rule.id)).toEqual(["gh"]);
  expect(bench.store.find(id)).toMatchObject({ value: { state: { status: "pending" } } });
}

const approve = () => bench.requests.approve(id, {}, OPERATOR);

describe("an approval that fails is undone", () => {
  test("the rules do not load: an operator's file is broken", async () => {
    bench.writeRules("50.yaml", "[");
    expect(await approve()).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^not approved: /) } });
    expectUndone();
    expect(bench.events.map(({ kind }) => kind)).toEqual(["approving", "reverted"]);
    rmSync(join(bench.rulesDir, "50.yaml"));
    expect(await approve()).toMatchObject({ ok: true });
  });

  test("the reload says that it is done and did nothing", async () => {
    bench.reloading = () => Promise.resolve(ok(null));
    expect(await approve()).toMatchObject({
      error: { code: "request.file", message: expect.stringContaining("are not in force") },
    });
    bench.reloading = null;
    expectUndone();
  });

  test("the evidence cannot be kept: before the file", async () => {
    bench.refusedEvents = ["approving"];
    expect(await approve()).toMatchObject({ error: { message: "evidence cannot be kept" } });
    expectUndone();
  });

  test("the evidence cannot be kept: with the rules in force", async () => {
    bench.refusedEvents = ["approved"];
    expect(await approve()).toMatchObject({ error: { message: "evidence cannot be kept" } });
    expectUndone();
  });

  test("not even that it was undone can be kept", async () => {
    bench.refusedEvents = ["approved", "reverted"];
    expect(await approve()).toMatchObject({ ok: false });
    expectUndone();
  });

  test("the file cannot be written", async () => {
    bench.reloading = () => Promise.resolve(ok(null));
    rmSync(bench.rulesDir, { recursive: true });
    expect(await approve()).toMatchObject({
      error: { code: "request.file", message: expect.stringContaining("rules directory") },
    });
  });

  test("a file of its name appears meanwhile, and stays", async () => {
    const file = `90-agent-${id}.yaml`;
    const text = `version: "1"\nrules: []\n`;
    bench.onEvent = () => bench.writeRules(file, text);
    expect(await approve()).toMatchObject({ error: { code: "request.unacceptable" } });
    expect(bench.read(file)).toBe(text);
    expect(bench.store.find(id)).toMatchObject({ value: { state: { status: "pending" } } });
  });

  test("a failing reload that leaves the rules in force keeps the request approving, for the next start to undo", async () => {
    bench.refusedEvents = ["approved"];
    let loads = 0;
    bench.reloading = () => ++loads === 1 ? bench.reload() : Promise.resolve(err(problem("rule.file", "no")));
    expect(await approve()).toMatchObject({ error: { message: "no" } });
    expect(bench.store.find(id)).toMatchObject({ value: { state: { status: "approving" } } });
    expect(bench.files()).toEqual(["00.yaml"]);
  });

  test("while an approval runs, the request is pending for the requester and decided for the operator", async () => {
    const seen: unknown[] = [];
    bench.reloading = async () => {
      const found = bench.requests.list("pending");
      seen.push(found.ok && found.value.map(({ status }) => status), await bench.requests.deny(id, null, OPERATOR));
      return await bench.reload();
    };
    expect(await approve()).toMatchObject({ ok: true });
    expect(seen).toMatchObject([["pending"], { error: { code: "request.not-pending" } }]);
  });
});

describe("the remains of a killed approval are undone at the next start", () => {
  // The state of a request during an approval, as if the process had ended after the given step.
  async function cutOff(step: "state" | "aside" | "file" | "reload" | "evidence"): Promise<void> {
    const found = bench.store.find(id);
    if (!found.ok || found.value === null) throw new Error("no request");
    const file = `90-agent-${id}.yaml`;
    const state = { status: "approving", at: "t", by: OPERATOR, digest: "d", file } as const;
    bench.store.change({ ...found.value, state }, "pending");
    if (step === "state") return;
    const text = `${noteOf(id)}version: "1"\nrules: [{id: x, condition: run.parsed, action: allow}]\n`;
    if (step === "aside") return writeFileSync(join(bench.rulesDir, `.${file}.new`), text.slice(0, 50));
    expect(writeApproved(bench.rulesDir, file, text)).toEqual({ ok: true, value: true });
    if (step === "reload" || step === "evidence") await bench.reload();
    if (step === "evidence") {
      await bench.keep({
        kind: "approved",
        request: id,
        container: "",
        at: "t",
        by: OPERATOR,
        digest: "d",
        file,
        rules: [],
        reason: null,
      });
    }
  }

  for (const step of ["state", "aside", "file", "reload", "evidence"] as const) {
    test(`cut off after: ${step}`, async () => {
      await cutOff(step);
      bench.restart();
      const recovered = await recoverRequests(bench.store, bench.rulesDir, bench.keep);
      expect(recovered).toMatchObject({ value: [{ id }] });
      await bench.reload();
      expectUndone();
      expect(bench.events.at(-1)).toMatchObject({ kind: "reverted", request: id, digest: "d" });
      expect(await recoverRequests(bench.store, bench.rulesDir, bench.keep)).toEqual({ ok: true, value: [] });
      expect(await approve()).toMatchObject({ ok: true });
    });
  }

  test("a file of that name that is an operator's is not touched", async () => {
    await cutOff("state");
    const file = `90-agent-${id}.yaml`;
    bench.writeRules(file, `version: "1"\nrules: []\n`);
    expect(await recoverRequests(bench.store, bench.rulesDir, bench.keep)).toMatchObject({ ok: true });
    expect(bench.read(file)).toBe(`version: "1"\nrules: []\n`);
    expect(removeApproved(bench.rulesDir, file, id)).toEqual({ ok: true, value: false });
  });

  test("without a record of the approval, the request does not change and the start fails", async () => {
    await cutOff("file");
    bench.refusedEvents = ["reverted"];
    expect(await recoverRequests(bench.store, bench.rulesDir, bench.keep)).toMatchObject({ ok: false });
    expect(bench.store.find(id)).toMatchObject({ value: { state: { status: "approving" } } });
    expect(bench.files()).toEqual(["00.yaml"]);
  });
});
