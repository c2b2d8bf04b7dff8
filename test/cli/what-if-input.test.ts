// The input of `rule evaluate` and `rule test` without a daemon: a context, an agent's request, or a program.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completeContext } from "../../src/action/complete-context.ts";
import { whatIfOf } from "../../src/cli/context-input.ts";
import { type RunOptions, runOutcall } from "../support/program/cli-io.ts";

const home = process.cwd();
const root = realpathSync(mkdtempSync(join(tmpdir(), "what-if-")));
const options: RunOptions = { environment: { PATH: `${join(root, "none")}:${join(root, "bin")}` } };

beforeAll(() => {
  mkdirSync(join(root, "bin"));
  mkdirSync(join(root, "rules"));
  writeFileSync(join(root, "bin", "git"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(
    join(root, "rules", "a.yaml"),
    `version: "1"
rules:
  - {id: force, condition: '"--force" in run.flags', action: block}
  - {id: evil, condition: 'network.hostname == "evil.example"', action: block}
  - {id: work, condition: 'action_type == "file_access" && target.startsWith("/workspace/")', action: allow}
  - {id: here, condition: 'run.path == "${root}/bin/git" && run.cwd == "${root}"', action: allow}
`,
  );
  process.chdir(root);
});
afterAll(() => {
  process.chdir(home);
  rmSync(root, { recursive: true });
});

const evaluate = (...argv: readonly string[]) =>
  runOutcall(["rule", "evaluate", "--rules-dir", "rules", ...argv], options);

describe("A1: rule evaluate", () => {
  const cases: readonly { note: string; argv: readonly string[]; stdout: string }[] = [
    {
      note: "argv of a context has flags",
      argv: ["--context", '{"run":{"tool":"git","argv":["push","--force"]}}'],
      stdout: 'block by rule "force" of a.yaml\n',
    },
    {
      note: "a request in an agent's form",
      argv: ["--request", '{"action_type":"tool_exec","target":"git","metadata":{"argv":["push","--force"]}}'],
      stdout: 'block by rule "force" of a.yaml\n',
    },
    {
      note: "a request of a file",
      argv: ["--request", '{"action_type":"file_access","target":"/workspace/../etc/shadow"}'],
      stdout: "block by default, no rule matched\n",
    },
    {
      note: "a request with a host",
      argv: ["--request", '{"action_type":"network_call","target":"EVIL.example."}'],
      stdout: 'block by rule "evil" of a.yaml\n',
    },
    { note: "a program found in PATH", argv: ["--", "git", "push"], stdout: 'allow by rule "here" of a.yaml\n' },
    {
      note: "a program and its flags",
      argv: ["--", "git", "push", "--force"],
      stdout: 'block by rule "force" of a.yaml\n',
    },
    { note: "an absolute program", argv: ["--", join(root, "bin/git")], stdout: 'allow by rule "here" of a.yaml\n' },
  ];
  for (const { note, argv, stdout } of cases) {
    test(note, async () => expect(await evaluate(...argv)).toEqual({ exit: 0, stdout, stderr: "" }));
  }

  test("requests, one a line", async () => {
    const stdin = ['{"action_type":"network_call","target":"evil.example"}\n{"action_type":"exec","target":"x"}\n'];
    const argv = ["rule", "evaluate", "--rules-dir", "rules", "--request", "-"];
    expect(await runOutcall(argv, { ...options, stdin })).toEqual({
      exit: 1,
      stdout: 'block by rule "evil" of a.yaml\n',
      stderr: 'Error: line 2 of standard input: unknown action_type "exec", known are tool_exec, network_call, ' +
        "file_access, shell_exec\n",
    });
  });
});

describe("A1: rule test --offline", () => {
  const run = (expr: string, ...argv: readonly string[]) =>
    runOutcall(["rule", "test", "--offline", "--expr", expr, ...argv], options);

  test("takes the same", async () => {
    const yes = { exit: 0, stdout: "Result: true\n", stderr: "" };
    expect(await run('run.flags == ["-uf", "-u", "-f"]', "--context", '{"run":{"argv":["-uf"]}}')).toEqual(yes);
    expect(await run('target == "h:443"', "--request", '{"action_type":"network_call","target":"H"}')).toEqual(yes);
    expect(await run('run.argv == ["--expr", "x"]', "--", "git", "--expr", "x")).toEqual(yes);
  });

  test("A1: a request and a program have agent and envelope, as in the daemon, but a context only has what it says", async () => {
    const yes = { exit: 0, stdout: "Result: true\n", stderr: "" };
    const given = 'agent.name != "builder" && has(agent.labels) && !envelope.verified && envelope.outcome == "none"';
    expect(await run(given, "--request", '{"action_type":"network_call","target":"h"}')).toEqual(yes);
    expect(await run(given, "--", "git")).toEqual(yes);
    expect(await run("has(agent.name) || has(envelope.verified)", "--context", "{}")).toEqual({
      ...yes,
      stdout: "Result: false\n",
    });
  });
});

describe("usage errors (exit 2)", () => {
  const both = (name: string) => `Error: ${name}: give only one of --context, --request and -- <program>\n`;
  const request = '{"action_type":"tool_exec","target":"x"}';
  const cases: readonly [argv: readonly string[], stderr: string][] = [
    [["rule", "evaluate", "--context", "{}", "--request", request], both("rule evaluate")],
    [["rule", "evaluate", "--context", "{}", "--", "git"], both("rule evaluate")],
    [["rule", "test", "--expr", "true", "--request", request, "--", "git"], both("rule test")],
    [["rule", "evaluate"], "Error: rule evaluate: missing --context <json>, --request <json> or -- <program>\n"],
    [["rule", "evaluate", "--request", "{"], "Error: --request: not JSON\n"],
    [["rule", "evaluate", "--request", "[]"], "Error: --request: a request is a JSON object\n"],
    [["rule", "evaluate", "--request", '{"action_type":"tool_exec"}'], 'Error: --request: missing member "target"\n'],
    [["rule", "evaluate", "--request", '{"target":"a","target":"b"}'], 'Error: --request: duplicate member "target"\n'],
    [["rule", "evaluate", "--context", '{"run":{},"run":{}}'], 'Error: --context: duplicate member "run"\n'],
    [
      ["rule", "evaluate", "--context", '{"run":{"argv":[],"args":["x"]}}'],
      "Error: --context: run.args is not what follows from run.argv; leave it out\n",
    ],
    [
      ["rule", "evaluate", "--request", '{"action_type":"tool_exec","target":"x","session_token":"t"}'],
      'Error: --request: unknown member "session_token"\n',
    ],
  ];
  for (const [argv, stderr] of cases) {
    test(
      argv.slice(1).join(" "),
      async () => expect(await runOutcall(argv, options)).toEqual({ exit: 2, stdout: "", stderr }),
    );
  }
});

test("what the daemon is sent completes to the same context, and is no longer than the request", () => {
  const argv = Array.from({ length: 60 }, (_, index) => `--flag=${index}${"x".repeat(1_000)}`);
  const requests = [
    { action_type: "tool_exec", target: "/bin/x", metadata: { argv, cwd: "/w" } },
    { action_type: "shell_exec", target: "a -f | b" },
    { action_type: "file_access", target: "/a/../b" },
    { action_type: "network_call", target: "https://H/x?y" },
  ];
  for (const request of requests) {
    const whatIf = whatIfOf(request);
    if (!whatIf.ok) throw new Error(whatIf.error.message);
    expect(completeContext(whatIf.value.sent)).toEqual({ ok: true, value: whatIf.value.complete });
  }
  const whatIf = whatIfOf(requests[0] ?? { action_type: "", target: "" });
  const { metadata, ...sent } = whatIf.ok ? whatIf.value.sent : {};
  expect(metadata).toEqual({ argv, cwd: "/w" });
  expect(JSON.stringify(sent).length).toBeLessThan(JSON.stringify(argv).length + 1_000);
});

test("a program that is not there is an error, and nothing is asked", async () => {
  expect(await evaluate("--", "nothing")).toEqual({
    exit: 1,
    stdout: "",
    stderr: 'Error: cannot find program "nothing" in PATH\n',
  });
});
