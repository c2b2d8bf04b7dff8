// The built shim in real containers of every supported kind: images with glibc, with busybox, and with nothing but the
// needed programs; read-only, without root, without capabilities, with remapped users.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deniedWith } from "../support/agent/denied.ts";
import { requirement, ROOT } from "../support/container/container.ts";
import { type Daemon, startDaemon } from "../support/program/daemon.ts";
import {
  BASE_IMAGE,
  type DockerEngine,
  type EngineVariant,
  missingEngine,
  startEngine,
} from "../support/host/docker.ts";
import { filesOf, importImage } from "../support/host/images.ts";
import { program } from "../support/program/programs.ts";

// Starting a real engine takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const RULES = {
  "00-test.yaml": `version: "1"
rules:
  - {id: denied, condition: '"denied" in run.args', action: block, reason: not that}
  - {id: others, condition: 'action_type == "tool_exec" || action_type == "shell_exec"', action: allow}
`,
};

const MISSING = "outcall-agent: agent socket not found at /run/outcall/agent.sock -- is outcalld running?\n";

/** An image: its name, the path of the shim in it, and the programs to ask about. */
type Image = {
  readonly name: string;
  readonly shim: string;
  /** A program that prints its arguments, and its output for `a b` and an empty argument. */
  readonly echo: readonly string[];
  readonly said: string;
};

const SHELL_SAYS = ["sh", "-c", 'printf "%s|" "$@"; exit 7', "sh"];
const GLIBC: Image = { name: "outcall-test/glibc:1", shim: "/usr/bin/outcall-agent", echo: SHELL_SAYS, said: "a b||" };
const BUSYBOX: Image = { name: "outcall-test/busybox:1", shim: "/bin/outcall-agent", echo: SHELL_SAYS, said: "a b||" };
// Only the shim; the only program that it can run is itself.
const NOTHING: Image = { name: "outcall-test/nothing:1", shim: "/outcall-agent", echo: [], said: "" };
// The shim and one static program.
const ONE: Image = { name: "outcall-test/one:1", shim: "/outcall-agent", echo: ["/echo"], said: "a b \n" };

/** A way to start containers: a note, flags, and whether all tests or only the main one run with it. */
type Setting = readonly [note: string, flags: readonly string[], extent: "whole" | "short"];

const READ_ONLY = ["--read-only"];
const USER = ["--user", "1234:5678"];
const NO_CAPABILITIES = ["--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
const NO_MORE = ["--network", "none", "--ipc", "none", "--pids-limit", "32", "--memory", "256m"];
const ALL = ["with all of that and little else", [...READ_ONLY, ...USER, ...NO_CAPABILITIES, ...NO_MORE]] as const;
const SETTINGS: readonly Setting[] = [
  ["as it comes", [], "whole"],
  ["read-only", READ_ONLY, "short"],
  ["as an ordinary user", USER, "short"],
  ["without capabilities", NO_CAPABILITIES, "short"],
  [...ALL, "whole"],
];

const ENGINES: readonly (readonly [mode: string, variant: EngineVariant, settings: readonly Setting[]])[] = [
  ["an engine as it comes", {}, SETTINGS],
  ["an engine with remapped users", { userNamespaces: true }, [["as it comes", [], "short"], [...ALL, "short"]]],
];

describe.each(ENGINES)("the shim in real containers of %s", (_mode, variant, settings) => {
  const { label, skip } = requirement("images", missingEngine());
  describe.skipIf(skip)(label, () => {
    let engine: DockerEngine;
    let daemon: Daemon;

    beforeAll(async () => {
      engine = startEngine(variant);
      const [shim = ""] = program("outcall-agent");
      const tools = filesOf(["/bin/sh", "/bin/touch", "/bin/cat", "/bin/sleep"]);
      importImage(engine, { name: GLIBC.name, files: { ...tools, [GLIBC.shim]: shim }, directories: ["tmp"] });
      importImage(engine, { name: NOTHING.name, files: { [NOTHING.shim]: shim } });
      importImage(engine, { name: ONE.name, files: { [ONE.shim]: shim, "/echo": busybox() } });
      const id = engine.startContainer({ image: BASE_IMAGE, files: [[shim, BUSYBOX.shim]] });
      engine.docker(["commit", id, BUSYBOX.name]);
      engine.removeContainer(id);
      const flags = engine.daemonFlags;
      daemon = await startDaemon({ rules: RULES, flags, before: engine.hostArgv([]) });
    });
    afterAll(async () => {
      await daemon?.dispose();
      engine?.stop();
    });

    /** Runs a container whose first process is the shim. */
    function shim(image: Image, flags: readonly string[], words: readonly string[]) {
      const socket = ["-v", `${dirname(daemon.files.agentSocket)}:/run/outcall:ro`];
      return run(image, [...socket, ...flags], words);
    }

    function run(image: Image, flags: readonly string[], words: readonly string[]) {
      const [command = "", ...rest] = engine.dockerArgv(["run", "--rm", ...flags, image.name, image.shim, ...words]);
      const { status, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8" });
      return { status, stdout, stderr };
    }

    describe.each(settings)("%s", (_note, flags, extent) => {
      test.each([GLIBC, BUSYBOX, ONE])("$name: becomes a program, or runs nothing", (image) => {
        const allowed = shim(image, flags, ["exec", "--", ...image.echo, "a b", ""]);
        expect(allowed).toEqual({ status: image === ONE ? 0 : 7, stdout: image.said, stderr: "" });
        const denied = shim(image, flags, ["exec", "--", ...image.echo, "denied"]);
        expect(denied).toEqual({ status: 126, stdout: "", stderr: deniedWith("not that") });
      });

      test("in an image that contains nothing else, it can run itself", () => {
        const version = shim(NOTHING, flags, ["exec", NOTHING.shim, "--version"]);
        expect(version).toEqual({ status: 0, stdout: expect.stringMatching(/^outcall-agent \d/), stderr: "" });
      });

      if (extent === "short") return;

      test.each([GLIBC, BUSYBOX, NOTHING])("$name: says who it is and what may be", (image) => {
        const checkin = shim(image, flags, ["checkin"]);
        expect(checkin).toEqual({ status: 0, stdout: expect.stringMatching(/^ctr-[0-9a-f]{12}\n$/), stderr: "" });
        const asking = ["check", "--type", "network_call", "--target", "https://evil.example/", "--json"];
        const denied = shim(image, flags, asking);
        const reason = "no rule allows network_call to https://evil.example/";
        expect(denied).toMatchObject({ status: 1, stderr: deniedWith(reason) });
        expect(JSON.parse(denied.stdout)).toEqual({ version: 1, allowed: false, matched_rule: null, reason });
      });

      test.each([GLIBC, BUSYBOX])("$name: becomes a shell for a line", (image) => {
        const line = shim(image, flags, ["shell", "echo $0 $# | cat; exit 3"]);
        expect(line).toEqual({ status: 3, stdout: "sh 0\n", stderr: "" });
      });

      test("in an image without a shell it says so", () => {
        const message = 'outcall-agent: cannot run "/bin/sh": there is no such file\n';
        expect(shim(NOTHING, flags, ["shell", "ls"])).toEqual({ status: 126, stdout: "", stderr: message });
      });

      test.each([GLIBC, BUSYBOX, NOTHING])("$name: without a socket it ends with 5 and runs nothing", (image) => {
        const words = image === NOTHING ? [NOTHING.shim, "--version"] : [...image.echo, "x"];
        expect(run(image, flags, ["exec", "--", ...words])).toEqual({ status: 5, stdout: "", stderr: MISSING });
      });
    });

    test("the image of the manual asks for the programs that it names", () => {
      const context = mkdtempSync(join(tmpdir(), "outcall-manual-"));
      try {
        copyFileSync(program("outcall-agent")[0] ?? "", join(context, "outcall-agent"));
        writeFileSync(join(context, "Dockerfile"), manualDockerfile(BASE_IMAGE));
        const [command = "", ...rest] = engine.dockerArgv(["build", "-q", "-t", "outcall-test/manual:1", context]);
        const built = spawnSync(command, rest, { encoding: "utf8", env: { ...process.env, DOCKER_BUILDKIT: "0" } });
        expect({ status: built.status, stdout: built.stdout }).toMatchObject({ status: 0 });
        const image = { name: "outcall-test/manual:1", shim: "git", echo: [], said: "" };
        const message = 'outcall-agent: cannot find program "git" in PATH\n';
        expect(shim(image, [], ["push"])).toEqual({ status: 126, stdout: "", stderr: message });
        expect(run(image, [], ["push"])).toEqual({ status: 5, stdout: "", stderr: MISSING });
      } finally {
        rmSync(context, { recursive: true });
      }
    });

    test.each([GLIBC, BUSYBOX])("$name: links ask for the programs behind them", (image) => {
      const socket = `${dirname(daemon.files.agentSocket)}:/run/outcall`;
      const id = engine.startContainer({
        image: image.name,
        mounts: [socket],
        args: ["-e", "PATH=/links:/bin:/usr/bin"],
      });
      engine.docker(["exec", id, image.shim, "link", "/links", "touch", "cat"]);
      const inside = (...words: readonly string[]) => {
        const [command = "", ...rest] = engine.dockerArgv(["exec", id, ...words]);
        const { status, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8" });
        return { status, stdout, stderr };
      };
      expect(inside("sh", "-c", "echo through | cat")).toEqual({ status: 0, stdout: "through\n", stderr: "" });
      expect(inside("touch", "/tmp/made")).toEqual({ status: 0, stdout: "", stderr: "" });
      expect(inside("touch", "/tmp/not-made", "denied")).toEqual({
        status: 126,
        stdout: "",
        stderr: deniedWith("not that"),
      });
      expect(inside("sh", "-c", "echo /tmp/*").stdout).toBe("/tmp/made\n");
      engine.removeContainer(id);
    });
  });
});

/** The Dockerfile of the manual, with a base image that is available. */
function manualDockerfile(base: string): string {
  const [, text = ""] =
    /```dockerfile file=Dockerfile\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs", "shim.md"), "utf8")) ?? [];
  return text.replace("FROM busybox", `FROM ${base}`);
}

function busybox(): string {
  return spawnSync("sh", ["-c", "command -v busybox"], { encoding: "utf8" }).stdout.trim();
}
