// The envelope as a gate, in real containers with the built programs: the specification's complete rulespec, a rule
// that allows a push only after it is satisfied, and every way in which an agent or the passing of time could evade it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deniedWith } from "../support/agent/denied.ts";
import { requirement } from "../support/container/container.ts";
import { callSocket, Daemon, daemonArgv, startDaemon } from "../support/program/daemon.ts";
import { type DockerEngine, missingEngine, startEngine } from "../support/host/docker.ts";
import { program } from "../support/program/programs.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

// Starting a real engine takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const RULES = {
  "00-test.yaml": `version: "1"
rules:
  - id: push-only-verified
    condition: run.tool == "git" && "push" in run.args && !envelope.verified
    action: block
    reason: write an envelope that satisfies the rulespec before pushing
  - id: old-work
    condition: run.tool == "git" && "fresh" in run.args && envelope.age_seconds > 3600
    action: block
    reason: too old
  - id: by-facts
    condition: run.tool == "git" && "tag" in run.args && "release" in envelope.facts && envelope.facts.release == "1.0"
    action: allow
  - id: git
    condition: run.path == "/bin/git" && !("tag" in run.args)
    action: allow
`,
};
const DENIED = expect.stringMatching(
  new RegExp(
    "^outcall-agent: denied: write an envelope that satisfies the rulespec before pushing\n" +
      "outcall-agent: record rec-[0-9a-f]{12}; to ask for a rule: outcall-agent request submit <file>\n$",
  ),
);

const { label, skip } = requirement("pushing only what is verified", missingEngine());

describe.skipIf(skip)(label, () => {
  let engine: DockerEngine;
  let daemon: Daemon;
  let specs = "";
  const ids = new Map<string, string>();

  beforeAll(async () => {
    engine = startEngine();
    specs = mkdtempSync(join(tmpdir(), "outcall-specs-"));
    chmodSync(specs, 0o755);
    writeFileSync(join(specs, "default.yaml"), COMPLETE_RULESPEC, { mode: 0o644 });
    daemon = await startDaemon({ rules: RULES, flags: flags(), before: engine.hostArgv([]) });
    for (const name of ["first", "second", "third"]) startContainer(name);
  });
  afterAll(async () => {
    await daemon?.dispose();
    engine?.stop();
    if (specs !== "") rmSync(specs, { recursive: true });
  });

  function flags(): readonly string[] {
    return [
      ...engine.daemonFlags,
      "--rulespec-dir",
      specs,
    ];
  }

  function startContainer(name: string, mounts: readonly string[] = []): void {
    const git = join(specs, `${name}.git`);
    writeFileSync(git, '#!/bin/sh\necho ran git "$@"\n', { mode: 0o755 });
    const [shim = ""] = program("outcall-agent");
    const id = engine.startContainer({
      name,
      mounts: [`${dirname(daemon.files.agentSocket)}:/run/outcall`, ...mounts],
      files: [[shim, "/bin/outcall-agent"], [git, "/bin/git"]],
    });
    rmSync(git);
    ids.set(name, id);
  }

  const idOf = (name: string): string => ids.get(name) ?? "";

  function shim(name: string, words: readonly string[], input = "") {
    const [command = "", ...rest] = engine.dockerArgv(["exec", "-i", idOf(name), "outcall-agent", ...words]);
    const { status, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8", input });
    return { status, stdout, stderr };
  }

  function outcall(...words: readonly string[]) {
    const [command = "", ...rest] = program("outcall");
    const { status, stdout, stderr } = spawnSync(command, [...rest, ...words, "--socket", daemon.files.hostSocket], {
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  const push = (name: string) => shim(name, ["exec", "git", "push", "origin"]);
  const write = (name: string, envelope: string) => shim(name, ["envelope", "write", "-"], envelope);
  const planVerify = (session: string) => outcall("rulespec", "plan-verify", "--session", session);
  const PUSHED = { status: 0, stdout: "ran git push origin\n", stderr: "" };
  const NOT_PUSHED = { status: 126, stdout: "", stderr: DENIED };

  test("writing none does not help", () => {
    expect(push("first")).toEqual(NOT_PUSHED);
    expect(planVerify("first")).toMatchObject({ status: 1, stderr: 'Error: no envelope of "first"\n' });
  });

  test("a text that is not an envelope is refused, and the rule still blocks", () => {
    const done = write("first", "csv_importer: {file: src/a.rs}\n");
    expect(done).toMatchObject({ status: 1, stdout: "" });
    expect(done.stderr).toContain('was the "facts:" wrapper forgotten?');
    expect(push("first")).toEqual(NOT_PUSHED);
  });

  test("one that fails says why in the operator's words, and does not help", () => {
    const done = write("first", COMPLETE_ENVELOPE.replace("breaking: false", "breaking: true"));
    const note = "failed: Breaking changes require a migration guide capability";
    expect(done).toEqual({
      status: 0,
      stdout: `outcome: failed\n7 passed, 1 failed, 0 skipped, 8 in all\n${note}\n`,
      stderr: "",
    });
    expect(push("first")).toEqual(NOT_PUSHED);
    expect(planVerify("first")).toMatchObject({ status: 1, stderr: expect.stringContaining("its outcome is failed") });
  });

  test("an agent's own word for its verification does not help", () => {
    const forged = COMPLETE_ENVELOPE.replace("src/import", "lib") + "verified: {outcome: verified, stamp: x}\n";
    expect(write("first", forged).stdout).toStartWith("outcome: failed\n");
    expect(push("first")).toEqual(NOT_PUSHED);
  });

  test("a verified envelope satisfies the rule, and its stamp is valid", async () => {
    expect(write("first", COMPLETE_ENVELOPE)).toEqual({
      status: 0,
      stdout: "outcome: verified\n7 passed, 0 failed, 1 skipped, 8 in all\n",
      stderr: "",
    });
    expect(push("first")).toEqual(PUSHED);
    for (const session of ["first", idOf("first"), `ctr-${idOf("first").slice(0, 12)}`]) {
      expect(planVerify(session)).toMatchObject({ status: 0, stderr: "" });
    }
    await daemon.record({ event: "agent.envelope", container: idOf("first"), outcome: "verified", passed: 7 });
  });

  test("age and facts are there to be asked for", () => {
    expect(shim("first", ["exec", "git", "fresh"]).status).toBe(0);
    expect(shim("second", ["exec", "git", "fresh"])).toMatchObject({
      status: 126,
      stderr: deniedWith("too old"),
    });
    expect(shim("first", ["exec", "git", "tag"]).status).toBe(126);
    write("first", `${COMPLETE_ENVELOPE}  release: "1.0"\n`);
    expect(shim("first", ["exec", "git", "tag"])).toMatchObject({ status: 0, stdout: "ran git tag\n" });
  });

  test("another container's envelope does not help", () => {
    expect(push("second")).toEqual(NOT_PUSHED);
    expect(push("first")).toEqual(PUSHED);
  });

  test("the operator sees both, and the agent neither", async () => {
    const { body } = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/envelopes");
    const { data } = JSON.parse(JSON.stringify(body));
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      container: { id: idOf("first"), name: "first" },
      verified: true,
      outcome: "verified",
    });
    const view = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/envelope/first");
    expect(view).toMatchObject({ status: 200, body: { data: { holds: true, reason: null, total: 8 } } });
    expect((await callSocket(daemon.files.hostSocket, "GET", "/api/v1/envelope/second")).status).toBe(404);
    expect((await callSocket(daemon.files.agentSocket, "GET", "/api/v1/envelopes")).status).toBe(403);
  });

  test("the files are the daemon's alone", () => {
    const dir = join(daemon.files.dir, "state", "sessions", idOf("first"));
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const names = readdirSync(dir).filter((name) => !/^[0-9]+$/.test(name));
    expect(names.sort()).toEqual(["datalog_evaluation.txt", "envelope.yaml", "rulespec.compiled.dl"]);
    for (const name of names) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(daemon.files.dir, "state", "stamp.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir).filter((name) => /^[0-9]+$/.test(name))).toHaveLength(4);
  });

  test("a changed fact breaks the stamp", () => {
    const path = join(daemon.files.dir, "state", "sessions", idOf("first"), "envelope.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("src/import/csv.rs", "src/import/tsv.rs"));
    expect(planVerify("first")).toEqual({
      status: 1,
      stdout: "",
      stderr: "Error: the stamp does not hold: the facts have changed\n",
    });
    writeFileSync(path, text);
    expect(planVerify("first").status).toBe(0);
  });

  test("a changed rulespec invalidates the stamp, and envelopes that it verified no longer count", () => {
    const changed = join(specs, "changed");
    writeFileSync(changed, COMPLETE_RULESPEC.replace("value: 2", "value: 3"));
    const installed = outcall("rulespec", "install", changed);
    expect(installed).toEqual({
      status: 0,
      stdout: `Rulespec installed as ${join(specs, "default.yaml")}.\n`,
      stderr: "",
    });
    expect(planVerify("first").stderr).toBe("Error: the stamp does not hold: the rulespec has changed\n");
    expect(push("first")).toEqual(NOT_PUSHED);
    expect(write("first", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: failed\n");
    writeFileSync(changed, COMPLETE_RULESPEC);
    outcall("rulespec", "install", changed, "--agent", "first");
    expect(write("first", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: verified\n");
    expect(write("second", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: failed\n");
    expect([push("first"), push("second")]).toEqual([PUSHED, NOT_PUSHED]);
  });

  test("a rulespec that does not load, or that others may write, verifies nothing", async () => {
    const path = join(specs, "second.yaml");
    writeFileSync(path, "claims: 1\n", { mode: 0o644 });
    expect(write("second", COMPLETE_ENVELOPE).stdout).toBe(
      "outcome: failed\n0 passed, 0 failed, 0 skipped, 0 in all\n",
    );
    await daemon.record({ event: "envelope.error", container: idOf("second"), code: "rulespec.schema" });
    writeFileSync(path, COMPLETE_RULESPEC);
    chmodSync(path, 0o666);
    expect(write("second", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: failed\n");
    await daemon.record({ event: "envelope.error", container: idOf("second"), code: "rulespec.file" });
    chmodSync(path, 0o644);
    expect(write("second", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: verified\n");
    expect(push("second")).toEqual(PUSHED);
  });

  test("a rulespec that a container mounts verifies nothing, for it and for the others", async () => {
    startContainer("mounting", [`${specs}:/specs:rw`]);
    expect(write("mounting", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: failed\n");
    expect(write("second", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: failed\n");
    const trouble = await daemon.record({ event: "envelope.error", container: idOf("mounting") });
    expect(trouble["reason"]).toContain("which a container mounts");
    engine.removeContainer(idOf("mounting"));
    for (let listed = ""; listed.includes("mounting") || listed === "";) {
      listed = JSON.stringify((await callSocket(daemon.files.hostSocket, "GET", "/api/v1/envelopes")).body);
    }
    expect(write("second", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: verified\n");
  });

  test("an older life's envelope does not help", () => {
    engine.docker(["restart", "-t", "0", idOf("first")]);
    expect(push("first")).toEqual(NOT_PUSHED);
    expect(push("second")).toEqual(PUSHED);
    expect(write("first", COMPLETE_ENVELOPE).stdout).toStartWith("outcome: verified\n");
    expect(push("first")).toEqual(PUSHED);
  });

  test("ten envelopes a minute, and the eleventh is told to wait", () => {
    for (let count = 0; count < 10; count++) expect(write("third", `facts: {n: ${count}}\n`).status).toBe(0);
    const done = write("third", COMPLETE_ENVELOPE);
    expect(done).toMatchObject({ status: 126, stdout: "" });
    expect(done.stderr).toMatch(/^outcall-agent: rate limited: try again in \d+ seconds?\n$/);
  });

  test("an envelope that a daemon verified still counts after a restart", async () => {
    await daemon.end();
    const [command = "", ...rest] = [...engine.hostArgv([]), ...daemonArgv(daemon.files, flags())];
    const child = spawn(command, rest, { stdio: ["ignore", "inherit", "pipe"] });
    daemon = new Daemon(daemon.files, child);
    await daemon.record({ event: "ready" });
    expect(planVerify(idOf("first")).status).toBe(0);
    expect(push("first")).toEqual(PUSHED);
    // A failed envelope stays failed, and envelopes of an earlier instance do not come back.
    expect(push("third")).toEqual(NOT_PUSHED);
    engine.docker(["restart", "-t", "0", idOf("second")]);
    expect(push("second")).toEqual(NOT_PUSHED);
  });

  test("without a rulespec nothing is verified", async () => {
    const before = engine.hostArgv([]);
    const plain = await startDaemon({ rules: RULES, flags: flags().slice(0, -2), before });
    const dir = dirname(plain.files.agentSocket);
    const [shimPath = ""] = program("outcall-agent");
    const id = engine.startContainer({ mounts: [`${dir}:/run/outcall`], files: [[shimPath, "/bin/outcall-agent"]] });
    ids.set("plain", id);
    expect(write("plain", COMPLETE_ENVELOPE).stdout).toBe(
      "outcome: unverified\n0 passed, 0 failed, 0 skipped, 0 in all\n",
    );
    await plain.dispose();
  });
});
