// outcalld from source under Deno: both sockets, identification of peers, persistent connections, reloads in a worker,
// hooks, the decision log and an orderly end.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentContainer, type Checkin } from "../support/agent/container.ts";
import { bearer } from "../support/agent/refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { outcallLog, printedRecords, runDaemon, stateOf } from "../support/audit/decision-log.ts";
import { denoProgram } from "../support/program/programs.ts";
import { RawClient, type RawRequest, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const CHECK = "/v1/permissions/check";
const FLAGS = [...PLAIN_FLAGS, "--no-watch"];
const RULES = {
  "10-a.yaml": `version: "1"
rules:
  - {id: who, condition: 'run.tool == "asks"', action: enrich, enrich: {script: who.sh}}
  - {id: hangs, condition: 'run.tool == "hangs"', action: enrich, enrich: {script: hangs.sh, timeout_ms: 200}}
  - {id: blue, condition: '"team" in enriched && enriched.team == "blue"', action: allow, log: true}
  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}
`,
};
const HOOKS = {
  "who.sh": '#!/bin/sh\ngrep -q /work && echo \'{"team": "blue"}\'\n',
  "hangs.sh": "#!/bin/sh\nsleep 1000000 & wait\n",
};

const { label, skip } = requirement("outcalld under deno", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let first: AgentContainer;
  let second: AgentContainer;
  let own: Checkin;

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: FLAGS, command: denoProgram("outcalld") });
    for (const [name, text] of Object.entries(HOOKS)) {
      writeFileSync(join(daemon.files.rulesDir, name), text, { mode: 0o755 });
    }
    const start = (name: string) => AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    [first, second] = [await start("first"), await start("second")];
    own = await first.checkIn();
  });
  afterAll(async () => {
    await first?.stop();
    await second?.stop();
    await daemon?.dispose();
  });

  const host = (method: string, path: string, body?: unknown) =>
    callSocket(daemon.files.hostSocket, method, path, body);
  const evaluate = (run: object) => host("POST", "/api/v1/rule/evaluate", { context: { run } });
  const tool = (target: string): RawRequest => ({
    path: CHECK,
    headers: bearer(own.session_token),
    body: { action_type: "tool_exec", target },
  });

  test("each socket is for its own: the operator's for the host, the agents' for containers", async () => {
    expect(await host("GET", "/api/v1/health")).toMatchObject({ status: 200, body: { success: true } });
    const { agentSocket, dir, hostSocket } = daemon.files;
    expect((await callSocket(agentSocket, "POST", "/v1/checkin", {})).status).toBe(403);
    const intruder = await AgentContainer.start(dir, "intruder", hostSocket);
    expect((await intruder.ask({ method: "GET", path: "/api/v1/health" })).status).toBe(403);
    await intruder.stop();
  });

  test("a container is the same at every check-in, another is another, and a token is its own container's", async () => {
    expect(own.container_id).toMatch(/^ctr-[0-9a-f]{12}$/);
    expect(await first.checkIn()).toMatchObject(own);
    const other = await second.checkIn();
    expect(other.container_id).not.toBe(own.container_id);
    expect((await second.check(own.session_token, tool("/bin/echo").body)).status).toBe(401);
  });

  test("a connection is kept: check-in, verdicts and a refusal, one after the other and all at once", async () => {
    const client = first.connect();
    expect(await client.ask({ path: "/v1/checkin", body: {} })).toMatchObject({
      status: 200,
      headers: { connection: "keep-alive" },
    });
    const allowed = { status: 200, body: expect.stringContaining('"allowed":true') };
    const denied = { status: 200, body: expect.stringContaining("no rule allows tool_exec to /bin/rm") };
    const refused: RawRequest = { ...tool("/bin/echo"), body: "x".repeat(65_537) };
    for (const [request, answer] of [[tool("/bin/echo"), allowed], [tool("/bin/rm"), denied]] as const) {
      expect(await client.ask(request)).toMatchObject(answer);
      expect((await client.ask(refused))?.status).toBe(413);
    }
    client.send(requestText(tool("/bin/rm")) + requestText(tool("/bin/echo")));
    expect(await client.answer()).toMatchObject(denied);
    expect(await client.answer()).toMatchObject(allowed);
    client.destroy();
  });

  test("who drips the headers of a later request loses the connection all the same", async () => {
    const client = new RawClient(daemon.files.hostSocket);
    expect((await client.ask({ method: "GET", path: "/api/v1/health" }))?.status).toBe(200);
    client.send("GET /api/v1/health HTTP/1.1\r\n");
    const dripping = setInterval(() => client.send("a: b\r\n"), 500);
    expect(await client.answer()).toBeNull();
    clearInterval(dripping);
  });

  test("the output of a hook is used, and a hook that hangs is ended and counts as failed", async () => {
    const answered = (decision: string, rule: string | null) => ({
      status: 200,
      body: { data: { decision, matched_rule: rule } },
    });
    expect(await evaluate({ tool: "asks", cwd: "/work" })).toMatchObject(answered("allow", "blue"));
    expect(await evaluate({ tool: "asks", cwd: "/other" })).toMatchObject(answered("block", null));
    expect(await evaluate({ tool: "hangs" })).toMatchObject(answered("block", null));
    const warning = await daemon.record({ event: "rule.unevaluable", rule: "hangs" });
    expect(warning["message"]).toContain("over its time of 200 ms");
  });

  test("rules are reloaded, and rules that do not load leave the others in force", async () => {
    const path = join(daemon.files.rulesDir, "20-b.yaml");
    writeFileSync(path, `version: "1"\nrules: [{id: id, condition: run.tool == "id", action: allow}]\n`);
    expect(await host("POST", "/api/v1/rules/reload")).toMatchObject({
      status: 200,
      body: { data: { rules_loaded: 5 } },
    });
    writeFileSync(path, "version: 1\n");
    expect(await host("POST", "/api/v1/rules/reload")).toMatchObject({ status: 422, body: { success: false } });
    expect(await evaluate({ tool: "id" })).toMatchObject({ body: { data: { decision: "allow", matched_rule: "id" } } });
  });

  test("it ends in order at SIGTERM, without a bug, and its log is whole and goes on under the built daemon", async () => {
    expect(await daemon.end("SIGTERM")).toBe(0);
    const { agentSocket, hostSocket } = daemon.files;
    expect([agentSocket, hostSocket].map((path) => existsSync(path))).toEqual([false, false]);
    const errors = daemon.records.filter(({ event, level }) => event === "bug" || level === "error");
    expect(errors.map(({ event }) => event)).toEqual(["rule.error", "rules.reload-failed"]);
    const logged = await printedRecords(stateOf(daemon.files), "--what-if");
    expect(logged.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["blue", "echo", "default-block"]));
    writeFileSync(join(daemon.files.rulesDir, "20-b.yaml"), `version: "1"\nrules: []\n`);
    const built = await runDaemon(daemon.files, FLAGS);
    expect(await built.end()).toBe(0);
    const kinds = (await printedRecords(stateOf(daemon.files))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "start" || kind === "stop")).toEqual(["start", "stop", "start", "stop"]);
    expect((await outcallLog(stateOf(daemon.files), "verify")).stdout).toStartWith("whole: ");
  });
});
