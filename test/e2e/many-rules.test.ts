// The 10,000 rules of the fixed workload in ten files: they load, are listed in order, and are evaluated to the last
// one.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { WORKLOAD_CONTEXT, workloadFiles } from "../support/generate/workload.ts";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const RULES = Object.fromEntries(workloadFiles(10_000).map(({ name, text }) => [name, String(text)]));
const context = WORKLOAD_CONTEXT;

const { label, skip } = requirement("10,000 rules", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  });
  afterAll(() => daemon.dispose());

  function outcall(...args: readonly string[]) {
    const [command = "", ...rest] = program("outcall");
    return spawnSync(command, [...rest, ...args], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  }

  test("they load", async () => {
    await daemon.record({ event: "ready", rules: 10_000, files: 10 });
  });

  test("they are listed, in order", () => {
    const { rules } = JSON.parse(outcall("--socket", daemon.files.hostSocket, "rule", "list", "--json").stdout);
    expect(rules.map((rule: { readonly id: string }) => rule.id)).toEqual(
      Array.from({ length: 10_000 }, (_, at) => `r${at}`),
    );
  });

  test("the last one decides, over the socket and offline", async () => {
    const expected = { decision: "allow", matched_rule: "r9999", file: "009.yaml" };
    const answer = await callSocket(daemon.files.hostSocket, "POST", "/api/v1/rule/evaluate", { context });
    expect(answer).toMatchObject({ status: 200, body: { data: expected } });
    const asked = ["--rules-dir", daemon.files.rulesDir, "--context", JSON.stringify(context), "--json"];
    expect(JSON.parse(outcall("rule", "evaluate", ...asked).stdout)).toMatchObject(expected);
  });

  test("lint counts them, and finds no error", () => {
    const { files, rules, findings } = JSON.parse(outcall("lint", daemon.files.rulesDir, "--format", "json").stdout);
    expect({ files, rules, errors: findings.filter((each: { severity: string }) => each.severity === "error") })
      .toEqual({ files: 10, rules: 10_000, errors: [] });
  });
});
