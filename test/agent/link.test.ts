// Links to the built shim, made by `link`: each acts as the program of its name. They always use the default socket, so
// the tests run in a mount namespace in which the test's daemon has that path.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DEFAULT_AGENT_SOCKET } from "../../src/core/defaults.ts";
import { programForms, sourceProgram } from "../support/program/programs.ts";
import { type Ended, runProgram } from "../support/program/run-program.ts";
import { honest, type ScriptedDaemon, startDaemon } from "../support/socket/scripted-daemon.ts";

const NAMESPACE = ["unshare", "--map-root-user", "--mount"];
const hasNamespaces = spawnSync(NAMESPACE[0] ?? "", [...NAMESPACE.slice(1), "true"]).status === 0;

let directory = "";

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "outcall-link-")));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("link refuses to link to a source file", async () => {
  const ended = await runProgram([...sourceProgram("outcall-agent"), "link", join(directory, "links"), "git"]);
  expect(ended).toMatchObject({ code: 1, stderr: "outcall-agent: only the compiled program can be linked to\n" });
  expect(existsSync(join(directory, "links"))).toBe(false);
});

const built = programForms("outcall-agent").filter(({ form }) => form === "built");

describe.each(built.map(({ command }) => [command[0] ?? ""] as const))("outcall-agent link (%s)", (shim) => {
  let daemon: ScriptedDaemon | undefined;

  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
  });

  /** Makes links to the shim, and a program `tool` later in PATH. */
  async function prepare(): Promise<string> {
    const made = await runProgram([shim, "link", join(directory, "links"), "tool", "other"]);
    expect(made).toMatchObject({ code: 0, stdout: "", stderr: "" });
    mkdirSync(join(directory, "bin"));
    writeFileSync(join(directory, "bin/tool"), '#!/bin/sh\ntr "\\0" "|" < /proc/$$/cmdline\nexit 3\n');
    chmodSync(join(directory, "bin/tool"), 0o755);
    return `${join(directory, "links")}:${join(directory, "bin")}:/usr/bin:/bin`;
  }

  function runInNamespace(allowed: boolean, path: string, line: string): Promise<Ended> {
    return startDaemon(honest({ allowed, matched_rule: null, reason: allowed ? null : "no" })).then((started) => {
      daemon = started;
      const run = dirname(DEFAULT_AGENT_SOCKET);
      const mount = `mount -t tmpfs none /run && mkdir ${run} && mount --bind "$1" ${run} && PATH="$2" && ${line}`;
      return runProgram([...NAMESPACE, "sh", "-c", mount, "sh", dirname(started.socketPath), path], { directory });
    });
  }

  test("makes links to itself, twice as well as once, and replaces nothing", async () => {
    const links = join(directory, "some/where");
    expect(await runProgram([shim, "link", links, "git", "curl"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await runProgram([shim, "link", links, "git"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(readlinkSync(join(links, "git"))).toBe(realpathSync(shim));
    expect(readlinkSync(join(links, "curl"))).toBe(realpathSync(shim));
    writeFileSync(join(links, "mine"), "mine");
    const taken = await runProgram([shim, "link", links, "mine"]);
    expect(taken).toMatchObject({ code: 1, stderr: `outcall-agent: cannot link "${join(links, "mine")}": EEXIST\n` });
    const nowhere = await runProgram([shim, "link", join(links, "mine/below"), "git"]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/^outcall-agent: cannot make directory [^\n]+\n$/);
  });

  test.each(["", ".", "..", "a/b", "/git", "outcall-agent", "outcall-agent-x"])(
    "makes no link at all with %p among the names",
    async (name) => {
      const links = join(directory, "links");
      const ended = await runProgram([shim, "link", links, "git", name]);
      expect(ended).toMatchObject({
        code: 2,
        stdout: "",
        stderr: `outcall-agent: link: ${JSON.stringify(name)} cannot be the name of a program behind a link\n`,
      });
      expect(existsSync(links)).toBe(false);
    },
  );

  test.skipIf(!hasNamespaces)("a link becomes the program behind it, with argv[0] as given", async () => {
    const path = await prepare();
    const ended = await runInNamespace(true, path, 'exec tool --agent-socket /x -- "" exec');
    expect(ended).toMatchObject({
      code: 3,
      stdout: "/bin/sh|" + `${join(directory, "bin/tool")}|--agent-socket|/x|--||exec|`,
      stderr: "",
    });
    expect(JSON.parse(daemon?.received.at(-1)?.body ?? "")).toEqual({
      action_type: "tool_exec",
      target: join(directory, "bin/tool"),
      metadata: { argv: ["--agent-socket", "/x", "--", "", "exec"], cwd: directory },
    });
  });

  test.skipIf(!hasNamespaces)("a link called by its path is the program of its name", async () => {
    const path = await prepare();
    const line = `cp /bin/cat "${join(directory, "bin/other")}" && exec "${
      join(directory, "links/other")
    }" /proc/self/cmdline`;
    const ended = await runInNamespace(true, path, line);
    expect(ended).toMatchObject({
      code: 0,
      stdout: `${join(directory, "links/other")}\0/proc/self/cmdline\0`,
      stderr: "",
    });
  });

  test.skipIf(!hasNamespaces)("a link runs nothing when denied, or when there is nothing behind it", async () => {
    const path = await prepare();
    const denied = await runInNamespace(false, path, "exec tool");
    expect(denied).toMatchObject({ code: 126, stdout: "", stderr: "outcall-agent: denied: no\n" });
    await daemon?.stop();
    const missing = await runInNamespace(true, path, "exec other --help");
    expect(missing).toMatchObject({
      code: 126,
      stdout: "",
      stderr: 'outcall-agent: cannot find program "other" in PATH\n',
    });
    expect(daemon?.received.map((each) => each.path)).toEqual(["/v1/checkin"]);
  });

  test.skipIf(!hasNamespaces)("a link uses the default socket and no other", async () => {
    const path = await prepare();
    const line = `exec unshare -m sh -c 'umount ${
      dirname(DEFAULT_AGENT_SOCKET)
    }; exec tool --agent-socket "$0"' "$1/agent.sock"`;
    const ended = await runInNamespace(true, path, line);
    expect(ended).toMatchObject({
      code: 5,
      stdout: "",
      stderr: `outcall-agent: agent socket not found at ${DEFAULT_AGENT_SOCKET} -- is outcalld running?\n`,
    });
  });
});
