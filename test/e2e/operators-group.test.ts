// --operators-group in the built daemon: processes of another user whose supplementary or primary group it is.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOST_ROUTES, type HostRoute } from "../../src/api/host-routes.ts";
import { groupId } from "../../src/state/host-names.ts";
import { entriesOf } from "../../src/wire/route.ts";
import { AgentContainer, RELAY } from "../support/agent/container.ts";
import { BUN, missingProgram, missingRoot, requirement, Talker } from "../support/container/container.ts";
import { callSocket, type Daemon, daemonArgv, layOut, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target != ""\', action: allow}\n' };
const GROUP = "games";
const GID = groupId(GROUP) ?? -1;
const NOBODY = "65534";
const FORBIDDEN = { status: 403, body: expect.stringContaining('"code":"daemon.forbidden"') };
const READ_ONLY =
  '{"success":false,"error":"members of the operators\' group may only read; this call is for root and ' +
  'the daemon\'s user","code":"daemon.read-only"}';

const { label, skip } = requirement("the operators' group", missingRoot(), missingProgram("setpriv"));

/** Runs a command as another user with these groups. */
function inGroups(gid: string, ...groups: readonly number[]): readonly string[] {
  const more = groups.length === 0 ? ["--clear-groups"] : ["--groups", groups.join(",")];
  return ["setpriv", "--reuid", NOBODY, "--regid", gid, ...more];
}

const MEMBER = inGroups(NOBODY, GID);

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  const speakers: AgentContainer[] = [];

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: [...PLAIN_FLAGS, "--operators-group", GROUP] });
    // The relays create their sockets here.
    chmodSync(daemon.files.dir, 0o777);
  });
  afterEach(async () => {
    for (const speaker of speakers.splice(0)) await speaker.stop();
  });
  afterAll(() => daemon?.dispose());

  let spoken = 0;
  async function speak(before: readonly string[]): Promise<AgentContainer> {
    const socketPath = join(daemon.files.dir, `${spoken++}.sock`);
    const relay = new Talker([...before, BUN, RELAY, socketPath, daemon.files.hostSocket]);
    const speaker = await AgentContainer.over(socketPath, relay);
    speakers.push(speaker);
    return speaker;
  }

  test("socket and directory are the group's, and closed to all others", () => {
    const { hostSocket, agentSocket } = daemon.files;
    const modeOf = (path: string) => statSync(path).mode & 0o7777;
    expect([modeOf(hostSocket), statSync(hostSocket).gid]).toEqual([0o660, GID]);
    expect([modeOf(dirname(hostSocket)), statSync(dirname(hostSocket)).gid]).toEqual([0o750, GID]);
    expect(modeOf(agentSocket)).toBe(0o666);
  });

  const many = Array.from({ length: 300 }, (_, at) => 20_000 + at);
  const members: readonly (readonly [note: string, before: readonly string[]])[] = [
    ["as a supplementary group", MEMBER],
    ["as the group of the process", inGroups(String(GID))],
    ["among 301 groups", inGroups(NOBODY, GID, ...many)],
  ];
  test.each([...members])("a member reads, and changes nothing: %s", async (_note, before) => {
    const member = await speak(before);
    const body = { context: { run: { tool: "ls" } } };
    expect(await member.ask({ path: "/api/v1/rule/evaluate", body })).toMatchObject({ status: 200 });
    expect(await member.ask({ path: "/api/v1/rule/test", body: { ...body, expression: "true" } })).toMatchObject({
      status: 200,
    });
    for (const [name, { rights }] of entriesOf<HostRoute>(HOST_ROUTES)) {
      const [method = "", path = ""] = name.split(" ");
      const answer = await member.ask({ method, path: path.replace(/:\w+/, "rr-0a1b2c3d4e5f") });
      if (rights === "write") expect(answer).toMatchObject({ status: 403, body: READ_ONLY });
      else expect([name, answer.status === 403]).toEqual([name, false]);
    }
    expect(await member.ask({ method: "GET", path: "/api/v1/rules" })).toMatchObject({ status: 200 });
    expect(await member.ask({ path: "/api/v1/nothing", body: {} })).toMatchObject({ status: 404 });
    await daemon.record({ event: "host.request.refused", code: "daemon.read-only", operation: "host.reload" });
  });

  test("calls that change nothing: GET, evaluate and test; all others are for root and the daemon's user", () => {
    const reading = entriesOf<HostRoute>(HOST_ROUTES).filter(([, { rights }]) => rights === "read").map(([name]) =>
      name
    );
    expect(reading.filter((name) => !name.startsWith("GET "))).toEqual([
      "POST /api/v1/rule/evaluate",
      "POST /api/v1/rule/test",
    ]);
    expect(
      entriesOf<HostRoute>(HOST_ROUTES).filter(([name, { rights }]) => name.startsWith("GET ") && rights === "write"),
    )
      .toEqual([]);
  });

  test("root may still do everything", async () => {
    expect(await callSocket(daemon.files.hostSocket, "POST", "/api/v1/rules/reload")).toMatchObject({ status: 200 });
  });

  test("a member's outcall shows the state and is refused a reload", () => {
    const outcall = (...args: readonly string[]) => {
      const [command = "", ...rest] = [...MEMBER, ...program("outcall"), "--socket", daemon.files.hostSocket, ...args];
      return spawnSync(command, rest, { encoding: "utf8" });
    };
    const status = outcall("status");
    expect({ code: status.status, stderr: status.stderr }).toEqual({ code: 0, stderr: "" });
    expect(status.stdout).toMatch(/^Operators: +group games may read$/m);
    const reload = outcall("rule", "reload");
    expect({ code: reload.status, stdout: reload.stdout }).toEqual({ code: 1, stdout: "" });
    expect(reload.stderr).toStartWith("Error: members of the operators' group may only read;");
  });

  const strangers: readonly (readonly [detail: string, before: readonly string[]])[] = [
    ["neither root nor the daemon's user", inGroups(NOBODY)],
    ["neither root nor the daemon's user", inGroups(NOBODY, GID + 1)],
    ["another user namespace", [...MEMBER, "unshare", "-U"]],
  ];
  test.each([...strangers])("403 for everything: %s (%j)", async (detail, before) => {
    const { hostSocket } = daemon.files;
    // Opens the directory, so that only the daemon's own check counts.
    chmodSync(dirname(hostSocket), 0o755);
    chmodSync(hostSocket, 0o666);
    const stranger = await speak(before);
    expect(await stranger.ask({ method: "GET", path: "/api/v1/health" })).toMatchObject(FORBIDDEN);
    expect(await stranger.ask({ path: "/api/v1/rules/reload" })).toMatchObject(FORBIDDEN);
    await daemon.record({ event: "host.request.refused", code: "daemon.forbidden", detail });
  });

  test("a group that the host does not have keeps the daemon from starting", () => {
    const files = layOut(RULES);
    const argv = daemonArgv(files, [...PLAIN_FLAGS, "--operators-group", "nothing-of-this-name"]);
    const [command = "", ...rest] = argv;
    const done = spawnSync(command, rest, { encoding: "utf8", timeout: 20_000 });
    rmSync(files.dir, { recursive: true });
    expect(done.status).toBe(1);
    expect(done.stderr).toContain('--operators-group: /etc/group has no group "nothing-of-this-name"');
  });
});
