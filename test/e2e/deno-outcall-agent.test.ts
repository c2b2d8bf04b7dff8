// outcall-agent from source under Deno, in containers, with the built daemon. Deno cannot replace its own process, so
// an allowed program is a child; its streams, signals and exit status must look the same.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { deniedWith } from "../support/agent/denied.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { unshareArgv } from "../support/host/namespace.ts";
import { denoProgram } from "../support/program/programs.ts";
import { type Ended, type RunOptions, runProgram } from "../support/program/run-program.ts";

setDefaultTimeout(120_000);

const RULES = {
  "10-a.yaml": `version: "1"
rules:
  - {id: not-that, condition: '"denied" in run.args', action: block, reason: not that}
  - {id: programs, condition: 'run.path in ["/bin/sh", "/usr/bin/sh", "/bin/cat", "/usr/bin/cat", "/usr/bin/yes"]', action: allow}
  - {id: line, condition: 'action_type == "shell_exec" && target == "echo $0 here; exit 9"', action: allow}
  - {id: host, condition: 'network.hostname == "good.example"', action: allow}
`,
};

const { label, skip } = requirement("outcall-agent under deno", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  });
  afterAll(() => daemon?.dispose());

  // Runs a script in the container, in which `$agent` is the shim.
  function inContainer(script: string, options: RunOptions = {}): Promise<Ended> {
    const agent = [...denoProgram("outcall-agent"), "--agent-socket", daemon.files.agentSocket].join(" ");
    return runProgram(unshareArgv(["sh", "-c", `agent="${agent}"; ${script}`]), options);
  }

  test("checkin: the container's identity, the same each time", async () => {
    const [first, second] = [
      await inContainer("$agent checkin && $agent checkin"),
      await inContainer("$agent checkin"),
    ];
    expect([first, second].map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(2).fill({ code: 0, stderr: "" }),
    );
    expect(first.stdout).toMatch(/^(ctr-[0-9a-f]{12})\n\1\n$/);
    expect(second.stdout).toMatch(/^ctr-[0-9a-f]{12}\n$/);
    expect(first.stdout).not.toContain(second.stdout);
  });

  test("check: 0 when allowed, 1 when denied", async () => {
    const check = "$agent check --type network_call --target https://";
    expect(await inContainer(`${check}good.example/`)).toMatchObject({ code: 0, stdout: "allowed\n", stderr: "" });
    const denied = await inContainer(`${check}evil.example/ --json`);
    expect({ ...denied, stdout: JSON.parse(denied.stdout) }).toMatchObject({
      code: 1,
      stdout: { allowed: false, reason: "no rule allows network_call to https://evil.example/" },
    });
  });

  test("exec: arguments, environment, directory, streams and exit status are the program's own", async () => {
    const program = 'printf "<%s>" "$0" "$@"; echo " $PWD $A"; cat; echo oops >&2; exit 7';
    const options = { environment: { PATH: "/usr/bin:/bin", A: "b=c" }, directory: "/usr", input: "in\n" };
    expect(await inContainer(`$agent exec -- sh -c '${program}' name "" "a b" --c`, options)).toMatchObject({
      code: 7,
      stdout: "<name><><a b><--c> /usr b=c\nin\n",
      stderr: "oops\n",
    });
    expect(await inContainer("$agent shell 'echo $0 here; exit 9'")).toMatchObject({ code: 9, stdout: "sh here\n" });
  });

  test("exec: ten megabytes go through, and a reader that goes away ends the program", async () => {
    const input = "0123456789abcdef".repeat(655_360);
    const { code, stdout } = await inContainer("$agent exec cat", { input });
    expect({ code, isWhole: stdout === input }).toEqual({ code: 0, isWhole: true });
    expect(await inContainer("{ $agent exec yes; echo $? >&2; } | head -n 1")).toMatchObject({
      stdout: "y\n",
      stderr: "141\n",
    });
  });

  test("exec: a denied program is not run", async () => {
    const marker = join(daemon.files.dir, "marker");
    expect(await inContainer(`$agent exec sh -c 'touch ${marker}' denied`)).toMatchObject({
      code: 126,
      stdout: "",
      stderr: deniedWith("not that"),
    });
    expect(existsSync(marker)).toBe(false);
  });

  test("exec: each signal reaches the program exactly once, and the program handles it", async () => {
    const signals = ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "CONT", "WINCH"];
    const traps = signals.map((name) => `trap "echo ${name}" ${name}`).join("; ");
    // The program ends with its input; a signal interrupts each `wait`.
    const program = [
      traps,
      "exec 3<&0",
      "echo ready",
      "cat <&3 &",
      "while kill -0 $! 2>/dev/null; do wait $!; done",
      "echo end",
      "exit 3",
    ].join("\n");
    const steps = signals.map((name) => `kill -${name} $shim; read -r said <&5; echo "$said"`).join("; ");
    const script = [
      "mkfifo $T/in $T/out",
      `$agent exec sh -c '${program}' <$T/in >$T/out & shim=$!`,
      "exec 4>$T/in 5<$T/out",
      "read -r said <&5",
      steps,
      "exec 4>&-",
      "read -r said <&5; echo $said",
      "wait $shim",
      "echo $?",
    ].join("\n");
    const environment = { PATH: "/usr/bin:/bin", T: daemon.files.dir };
    expect(await inContainer(script, { environment })).toMatchObject({
      code: 0,
      stdout: [...signals, "end", "3", ""].join("\n"),
      stderr: "",
    });
  });

  test("exec: a program that a signal ended gives the number that a shell gives it", async () => {
    for (const [name, number] of [["TERM", 143], ["KILL", 137], ["INT", 130]] as const) {
      expect((await inContainer(`$agent exec sh -c 'kill -${name} $$'; echo $?`)).stdout).toBe(`${number}\n`);
    }
  });

  test("with the daemon gone: exit 5, and nothing runs", async () => {
    expect(await daemon.end()).toBe(0);
    expect(await inContainer("$agent exec sh -c 'echo ran'")).toMatchObject({
      code: 5,
      stdout: "",
      stderr: `outcall-agent: agent socket not found at ${daemon.files.agentSocket} -- is outcalld running?\n`,
    });
  });
});
