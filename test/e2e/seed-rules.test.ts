// The specification's example rule file gives the stated outcomes in all three ways: host API, agent API, and offline
// command.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { unshareArgv } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";
import { SEED_OUTCOMES, SEED_RULES } from "../support/seed.ts";

const { label, skip } = requirement("the seed's rules", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  beforeAll(async () => {
    const flags = [...PLAIN_FLAGS, "--log-level", "debug"];
    daemon = await startDaemon({ rules: SEED_RULES, flags });
  });
  afterAll(() => daemon.dispose());

  for (const { note, context, request, decision, rule, logged } of SEED_OUTCOMES) {
    const expected = { decision, matched_rule: rule, file: rule === null ? null : "00-base.yaml", logged };

    test(`host API: ${note}`, async () => {
      const answer = await callSocket(daemon.files.hostSocket, "POST", "/api/v1/rule/evaluate", { context });
      expect(answer).toMatchObject({ status: 200, body: { success: true, data: expected } });
    });

    test(`agent API: ${note}`, () => {
      const { action_type, target, metadata = {} } = request;
      const meta = Object.entries(metadata as object).flatMap(([key, value]) =>
        [value].flat().flatMap((text) => ["--meta", `${key}=${text}`])
      );
      const asked = ["check", "--type", String(action_type), "--target", String(target), ...meta, "--json"];
      const shim = [...program("outcall-agent"), "--agent-socket", daemon.files.agentSocket, ...asked];
      const [command = "", ...args] = unshareArgv(shim);
      const done = spawnSync(command, args, { encoding: "utf8" });
      expect(done.stderr).toBe(decision === "allow" ? "" : done.stderr);
      const verdict = JSON.parse(done.stdout);
      expect(verdict.allowed).toBe(decision === "allow");
      expect(verdict.matched_rule === null).toBe(rule === null);
      if (rule !== null) expect(verdict.matched_rule).toMatch(/^rule-[0-9a-f]{12}$/);
      expect(done.status).toBe(decision === "allow" ? 0 : 1);
    });

    test(`offline: ${note}`, () => {
      const [command = "", ...rest] = program("outcall");
      const asked = ["rule", "evaluate", "--rules-dir", daemon.files.rulesDir, "--context", JSON.stringify(context)];
      const done = spawnSync(command, [...rest, ...asked, "--json"], { encoding: "utf8" });
      expect(done.status).toBe(0);
      expect(JSON.parse(done.stdout)).toMatchObject(expected);
    });
  }

  test("the blocked push is logged with its rule", async () => {
    const record = await daemon.record({ event: "decision", rule: "block-force-push", level: "info" });
    expect(record).toMatchObject({ decision: "block", file: "00-base.yaml" });
  });
});
