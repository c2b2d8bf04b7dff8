// The fixed workload's 10,000 rules in ten files: they load, are listed in order, and are evaluated to the last one.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { missingRoot, requirement, ROOT } from "../support/container.ts";
import { callSocket, type Daemon, startDaemon } from "../support/daemon.ts";
import { program } from "../support/programs.ts";

setDefaultTimeout(60_000);

type Workload = {
  readonly ruleFiles: (count: number, kind?: string) => readonly (readonly [string, string])[];
  readonly context: Record<string, unknown>;
};
const { ruleFiles, context }: Workload = await import(join(ROOT, "..", "shared", "bench", "workload.mjs"));
const RULES = Object.fromEntries(ruleFiles(10_000));

const { label, skip } = requirement("10,000 rules", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: ["--containers", "namespace", "--bridge", "none"] });
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
