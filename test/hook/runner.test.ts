import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HookRunner } from "../../src/hook/runner.ts";
import { err, ok } from "../../src/core/result.ts";
import { ScriptDir } from "../support/rule/hook.ts";

const NEVER = new AbortController().signal;
const rule = { id: "look", enrich: { script: "hook.sh", timeoutMs: 60_000 } };

test("HookRunner runs the hook of a rule with its id, time and input", async () => {
  using dir = new ScriptDir();
  dir.writeShell("hook.sh", `read -r line; echo "{\\"id\\": \\"$OUTCALL_RULE_ID\\", \\"input\\": $line}"`);
  const hooks = new HookRunner(dir.path);
  const output = await hooks.run(rule, { a: 1 }, { requester: "a", signal: NEVER });
  expect(output).toEqual(ok({ id: "look", input: { a: 1 } }));
  const quick = { ...rule, enrich: { script: "hook.sh", timeoutMs: 1 } };
  dir.writeShell("hook.sh", "sleep 1000");
  const late = await hooks.run(quick, {}, { requester: "a", signal: NEVER });
  expect(late).toEqual(err("it ran over its time of 1 ms"));
});

test("HookRunner ends a hook that is given up while it is being started", async () => {
  using dir = new ScriptDir();
  dir.writeShell("hook.sh", "exec sleep 1000");
  const hooks = new HookRunner(dir.path);
  const asked = hooks.run(rule, {}, { requester: "a", signal: NEVER });
  await hooks.close();
  expect(await asked).toEqual(err("the evaluation was given up"));
});

test("HookRunner runs nothing for a rule without a hook", async () => {
  const hooks = new HookRunner("/no/such");
  const output = await hooks.run({ id: "r", enrich: null }, {}, { requester: "a", signal: NEVER });
  expect(output).toEqual(err("the rule has no hook"));
});

test("HookRunner runs two scripts of a container, lets eight wait, refuses the next, and ends all when it is closed", async () => {
  using dir = new ScriptDir();
  dir.writeShell("hook.sh", `echo $$ >> pids; exec sleep 1000`);
  const hooks = new HookRunner(dir.path);
  const ask = (requester: string) => hooks.run(rule, {}, { requester, signal: NEVER });
  const asked = Array.from({ length: 10 }, () => ask("a"));
  expect(await ask("a")).toEqual(err("8 hooks are waiting for this container already"));
  const other = ask("b");
  const pids = () => existsSync(join(dir.path, "pids")) ? dir.read("pids").trim().split("\n") : [];
  while (pids().length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  await hooks.close();
  const ended = err("the evaluation was given up");
  expect(await Promise.all(asked.slice(0, 2))).toEqual([ended, ended]);
  expect(await other).toEqual(ended);
  const waited = err("the evaluation was given up before its turn");
  expect(await Promise.all(asked.slice(2))).toEqual(asked.slice(2).map(() => waited));
  expect(pids()).toHaveLength(3);
  for (const pid of pids()) await dir.allEnded(Number(pid));
  expect(await ask("a")).toEqual(err("hooks are no longer run"));
});
