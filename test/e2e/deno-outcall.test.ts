// outcall from source under Deno prints the same as the built program: about a daemon, about files, and about usage
// errors.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { missingRoot, requirement } from "../support/container/container.ts";
import { denoProgram, program } from "../support/program/programs.ts";
import { RuleHost } from "../support/rule/host.ts";
import { type Ended, PLAIN_ENVIRONMENT, runProgram } from "../support/program/run-program.ts";

setDefaultTimeout(120_000);

const RULES = {
  "10-a.yaml": `version: "1"
definitions: {is_git: run.tool == "git"}
rules:
  - {id: who, condition: $is_git, action: enrich, enrich: {script: who.sh}}
  - {id: push, condition: '$is_git && "push" in run.args', action: block, log: true, reason: not by agents}
  - {id: look, condition: '$is_git && "team" in enriched && enriched.team == "blue"', action: allow}
`,
};
const HOOKS = { "who.sh": `grep -q /work && echo '{"team": "blue"}'` };
const WRONG = `version: "1"
rules:
  - {id: a, condition: 'run.tol == "x"', action: allow}
  - {id: a, condition: 'true', action: block}
`;

type Case = {
  readonly note: string;
  readonly argv: readonly string[];
  readonly input?: string;
  readonly code: number;
  /** A part of its output. */
  readonly says: string;
};

const context = (args: readonly string[]) => JSON.stringify({ run: { tool: "git", cwd: "/work", args } });

const { label, skip } = requirement("outcall under deno", missingRoot());

describe.skipIf(skip)(label, () => {
  let host: RuleHost;
  let wrong = "";
  beforeAll(async () => {
    host = await RuleHost.start(RULES, HOOKS, ["--no-watch"]);
    expect(await host.evaluate({ run: { tool: "git", args: ["push"] } })).toMatchObject({ matched_rule: "push" });
    host.write("wrong.yaml", WRONG);
    wrong = `${host.files.rulesDir}/wrong.yaml`;
  });
  afterAll(() => host?.dispose());

  const run = (command: readonly string[], argv: readonly string[], input?: string): Promise<Ended> =>
    runProgram([...command, "--socket", host.files.hostSocket, ...argv], input === undefined ? {} : { input });

  // The uptime of the daemon differs from call to call.
  const plain = ({ code, stdout, stderr }: Ended) => ({
    code,
    stdout: stdout.replace(/"uptime_seconds":\d+/, '"uptime_seconds":0').replace(/ up .* since /, " up 0 s since "),
    stderr,
  });

  const cases: readonly Case[] = [
    { note: "the rules in order", argv: ["rule", "list"], code: 0, says: "10-a.yaml" },
    { note: "the rules as JSON", argv: ["rule", "list", "--json"], code: 0, says: '"id":"push"' },
    { note: "one rule", argv: ["rule", "show", "look"], code: 0, says: "run.tool" },
    { note: "an unknown rule", argv: ["rule", "show", "lok"], code: 1, says: "lok" },
    {
      note: "an expression, by the daemon",
      argv: ["rule", "test", "--expr", 'run.tool == "git"', "--context", context([])],
      code: 0,
      says: "Result: true",
    },
    {
      note: "an expression, offline",
      argv: ["rule", "test", "--offline", "--expr", 'run.args[0].matches("^p.sh$")', "--context", context(["push"])],
      code: 0,
      says: "Result: true",
    },
    {
      note: "three contexts on one connection, hooks included",
      argv: ["rule", "evaluate", "--context", "-", "--json"],
      input: [context(["status"]), context(["push"]), "{}", ""].join("\n"),
      code: 0,
      says: '"matched_rule":"look"',
    },
    { note: "lint, with findings", argv: ["lint", "WRONG"], code: 1, says: 'did you mean "tool"?' },
    {
      note: "lint for code scanning",
      argv: ["lint", "--format", "sarif", "WRONG"],
      code: 1,
      says: "rule.duplicate-id",
    },
    { note: "the state", argv: ["status"], code: 0, says: "namespace" },
    { note: "the state as JSON", argv: ["status", "--json"], code: 0, says: '"version":1' },
    { note: "a schema", argv: ["schema", "rule-file"], code: 0, says: "$schema" },
    {
      note: "what was decided",
      argv: ["log", "--what-if", "--rule", "push", "--json"],
      code: 0,
      says: '"rule":"push"',
    },
    { note: "whether the log is whole", argv: ["log", "verify"], code: 0, says: "whole: " },
    { note: "a wrong word", argv: ["rule", "lst"], code: 2, says: "rule list" },
  ];
  for (const { note, argv, input, code, says } of cases) {
    test(note, async () => {
      const words = argv.map((word) => word === "WRONG" ? wrong : word);
      const ended = await run(denoProgram("outcall"), words, input);
      expect({ code: ended.code, said: ended.stdout + ended.stderr }).toEqual({
        code,
        said: expect.stringContaining(says),
      });
      expect(plain(ended)).toEqual(plain(await run(program("outcall"), words, input)));
    });
  }

  test("rules of a directory, without a daemon", async () => {
    const words = ["rule", "evaluate", "--rules-dir", host.files.rulesDir, "--context", context(["status"])];
    expect(await run(denoProgram("outcall"), words)).toMatchObject({ code: 1 });
    host.write("wrong.yaml", `version: "1"\nrules: []\n`);
    expect(await run(denoProgram("outcall"), words)).toMatchObject({
      code: 0,
      stdout: 'allow by rule "look" of 10-a.yaml\n',
    });
  });

  test("no daemon to ask: exit 1 with the path", async () => {
    const ended = await runProgram([...denoProgram("outcall"), "--socket", "/nowhere/host.sock", "status"]);
    expect(ended).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "Error: cannot connect to outcalld at /nowhere/host.sock -- is it running?\n",
    });
  });

  test("a reader that goes away ends it", async () => {
    const [command = "", ...argv] = [
      ...denoProgram("outcall"),
      "--socket",
      host.files.hostSocket,
      "log",
      "--follow",
      "--what-if",
    ];
    const child = spawn(command, argv, { env: PLAIN_ENVIRONMENT, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const ended = once(child, "exit");
    child.stdout.destroy();
    while (child.exitCode === null) await host.evaluate({ run: { tool: "git", args: ["push"] } });
    expect((await ended)[0]).toBe(1);
  });
});
