// Rule requests of real containers, which have names: the complete procedure with the programs only, and the scope by
// container name.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { requirement } from "../support/container/container.ts";
import { type Daemon, startDaemon } from "../support/program/daemon.ts";
import { type DockerEngine, missingEngine, startEngine } from "../support/host/docker.ts";
import { program } from "../support/program/programs.ts";
import { outcall } from "../support/request/client.ts";

setDefaultTimeout(120_000);

const RULES = { "00.yaml": `version: "1"\nrules: [{id: echo, condition: 'run.path == "/bin/echo"', action: allow}]\n` };
const REQUEST = `version: "1"
rules: [{id: touch, condition: 'run.path == "/bin/touch" || run.path == "/bin/true"', action: allow}]
`;

const { label, skip } = requirement("rule requests of real containers", missingEngine());

describe.skipIf(skip)(label, () => {
  let engine: DockerEngine;
  let daemon: Daemon;
  const names = ["builder", "other"] as const;

  beforeAll(async () => {
    engine = startEngine();
    const flags = engine.daemonFlags;
    daemon = await startDaemon({ rules: RULES, flags, before: engine.hostArgv([]) });
    const [shim = ""] = program("outcall-agent");
    for (const name of names) {
      const mounts = [`${dirname(daemon.files.agentSocket)}:/run/outcall`];
      engine.startContainer({ name, mounts, files: [[shim, "/bin/outcall-agent"]] });
    }
  });
  afterAll(async () => {
    await daemon?.dispose();
    engine?.stop();
  });

  function shim(name: (typeof names)[number], words: readonly string[], input = "") {
    const [command = "", ...rest] = engine.dockerArgv(["exec", "-i", name, "outcall-agent", ...words]);
    const { status, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8", input });
    return { status, stdout, stderr };
  }

  const touch = (name: (typeof names)[number]) => shim(name, ["exec", "touch", "/tmp/touched"]).status;

  test("S004-SC-005, S003-FR-026 asked in one container, approved on the host, in force in that container alone", async () => {
    expect([touch("builder"), touch("other")]).toEqual([126, 126]);
    const submitted = shim("builder", ["request", "submit", "-"], REQUEST);
    expect(submitted).toMatchObject({ status: 0, stderr: "" });
    const id = submitted.stdout.trim();
    const shown = await outcall(daemon, "rule", "request", id);
    expect(shown.stdout).toMatch(/^Name: +builder$/m);
    expect(shown.stdout).toMatch(/^Image: +outcall-test\/base:1$/m);
    expect(shown.stdout).toMatch(/^Scope: +agent\.name == "builder"$/m);
    expect(shown.stdout).toMatch(
      /^Condition: +agent\.name == "builder" && \(run\.path == "\/bin\/touch" \|\| run\.path == "\/bin\/true"\)$/m,
    );
    expect([touch("builder"), shim("builder", ["request", "status", id]).stdout]).toEqual([126, "pending\n"]);

    expect((await outcall(daemon, "rule", "approve", id)).stdout).toContain('Rule "touch" added and rules reloaded.');
    expect([touch("builder"), touch("other")]).toEqual([0, 126]);
    expect(shim("builder", ["request", "status", id])).toEqual({ status: 0, stdout: "approved\n", stderr: "" });
    expect(shim("other", ["request", "status", id])).toEqual({
      ...{ status: 1, stdout: "", stderr: `outcall-agent: rule request ${id} not found\n` },
    });
  });

  test("--global is for every container", async () => {
    const submitted = shim(
      "builder",
      ["request", "submit", "-"],
      REQUEST.replaceAll("touch", "date").replace("true", "id"),
    );
    expect(shim("other", ["exec", "date"]).status).toBe(126);
    await outcall(daemon, "rule", "approve", submitted.stdout.trim(), "--global");
    expect([shim("other", ["exec", "date"]).status, shim("builder", ["exec", "date"]).status]).toEqual([0, 0]);
  });
});
