import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import { hookReason } from "../../src/core/hook-error.ts";
import { err } from "../../src/core/result.ts";
import { runHook } from "../../src/hook/run-hook.ts";
import { ERROR_BYTES, OUTPUT_BYTES } from "../../src/hook/run-script.ts";
import { ScriptDir } from "../support/rule/hook.ts";

/** Far more time than anything here takes, except in the tests of the time limit. */
const LONG_MS = 60_000;

async function run(dir: ScriptDir, more: { timeoutMs?: number; input?: JsonObject; signal?: AbortSignal } = {}) {
  const output = await ended(dir, more);
  return output.ok ? output : err(hookReason(output.error));
}

function ended(dir: ScriptDir, more: { timeoutMs?: number; input?: JsonObject; signal?: AbortSignal } = {}) {
  return runHook({ dir: dir.path, script: "hook.sh", ruleId: "look", timeoutMs: LONG_MS, input: {}, ...more });
}

test("B4: the script's own output is marked in the reason", async () => {
  using dir = new ScriptDir();
  dir.writeShell("hook.sh", "echo 'it is \"hunter2\"' >&2; exit 1");
  const said = '"it is "hunter2""';
  expect(await ended(dir)).toEqual(err({ reason: `exit status 1: ${said}`, foreign: said }));
});

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
/** An object with exactly this many bytes, including the line end. */
const sized = (bytes: number) => `{"a":"${"x".repeat(bytes - '{"a":""}\n'.length)}"}\n`;

describe("runHook gives what a script wrote", () => {
  const cases: readonly { note: string; body: string; value: JsonObject }[] = [
    { note: "an object", body: `echo '{"a": [1, null, "ü"]}'`, value: { a: [1, null, "ü"] } },
    { note: "an object over lines", body: `printf '{\\n"a":\\n1}\\n\\n'`, value: { a: 1 } },
    { note: "no member", body: `echo '{}'`, value: {} },
    { note: "standard error does not matter", body: `yes | head -c 200000 >&2; echo '{"a":1}'`, value: { a: 1 } },
    { note: "the greatest integer", body: `echo '{"a":9007199254740991}'`, value: { a: 9007199254740991 } },
    { note: "input left unread", body: `echo '{"a":1}'`, value: { a: 1 } },
    { note: "input closed", body: `exec 0<&-; echo '{"a":1}'`, value: { a: 1 } },
    { note: "output closed early", body: `echo '{"a":1}'; exec 1>&- 2>&-; true`, value: { a: 1 } },
    { note: "a child that keeps the pipes open", body: `sleep 1000 & echo '{"a":1}'`, value: { a: 1 } },
    {
      note: "children that keep no pipe",
      body: `for i in 1 2 3; do sleep 1000 <&- >&- 2>&- & done; echo '{"a":1}'`,
      value: { a: 1 },
    },
  ];
  const large: JsonObject = { text: "x".repeat(1_000_000) };
  for (const { note, body, value } of cases) {
    test(note, async () => {
      using dir = new ScriptDir();
      dir.writeShell("hook.sh", body);
      const output = await run(dir, { input: large });
      expect(output).toEqual({ ok: true, value });
      await dir.allEnded();
    });
  }

  for (
    const { note, text } of [{ note: "32 levels", text: nested(32) }, { note: "64 KiB", text: sized(OUTPUT_BYTES) }]
  ) {
    test(note, async () => {
      using dir = new ScriptDir();
      dir.write("output", text);
      dir.writeShell("hook.sh", "cat output");
      expect(await run(dir)).toEqual({ ok: true, value: JSON.parse(text) });
    });
  }
});

describe("runHook says why a hook failed, and leaves no process", () => {
  const quick = 300;
  const cases: readonly { note: string; body: string; timeoutMs?: number; error: string }[] = [
    { note: "exit status", body: `echo '{"a":1}'; exit 3`, error: "exit status 3" },
    {
      note: "what it said",
      body: `printf 'a\\033[1m\\nb\\n' >&2; exit 1`,
      error: `exit status 1: "a\\u{1b}[1m\\u{a}b"`,
    },
    {
      note: "the first 1 KiB of what it said",
      body: `head -c ${ERROR_BYTES} /dev/zero | tr '\\0' x >&2; echo more >&2; exit 1`,
      error: `exit status 1: "${"x".repeat(ERROR_BYTES)}"`,
    },
    { note: "a signal", body: "kill -TERM $$", error: "ended by SIGTERM" },
    { note: "nothing written", body: "true", error: "it wrote nothing" },
    { note: "not JSON", body: "echo yes", error: "its output is not one JSON object" },
    { note: "two objects", body: "echo '{} {}'", error: "its output is not one JSON object" },
    { note: "a list", body: "echo '[1]'", error: "its output is JSON, but not an object" },
    { note: "null", body: "echo null", error: "its output is JSON, but not an object" },
    { note: "not UTF-8", body: `printf '{"a":"\\377"}'`, error: "its output is not UTF-8" },
    { note: "a byte order mark", body: `printf '\\357\\273\\277{}'`, error: "its output is not one JSON object" },
    {
      note: "an integer beyond 2^53-1",
      body: `echo '{"a":[9007199254740992]}'`,
      error: `its output is not acceptable: integer beyond 2^53-1: "9007199254740992"`,
    },
    { note: "endless output", body: "exec yes", error: "it wrote over 64 KiB" },
    { note: "endless output of children", body: "yes & yes & yes & wait", error: "it wrote over 64 KiB" },
    {
      note: "endless output of a child that is left behind",
      body: `trap '' HUP; echo '{"a":1}'; (sleep 0; exec yes) & exit 0`,
      error: "it wrote over 64 KiB",
    },
    { note: "over its time", body: "exec sleep 1000", timeoutMs: quick, error: "it ran over its time of 300 ms" },
    {
      note: "over its time, deaf",
      body: "trap '' TERM INT HUP; sleep 1000; sleep 1000",
      timeoutMs: quick,
      error: "it ran over its time of 300 ms",
    },
    {
      note: "over its time, stopped",
      body: "kill -STOP $$",
      timeoutMs: quick,
      error: "it ran over its time of 300 ms",
    },
    {
      note: "over its time, with children",
      body: "for i in 1 2 3 4 5; do (sleep 1000 & sleep 1000) & done; wait",
      timeoutMs: quick,
      error: "it ran over its time of 300 ms",
    },
    {
      note: "over its time, with children that start children",
      body: "f() { [ $1 -gt 50 ] || f $(($1 + 1)) & sleep 1000; }; f 0",
      timeoutMs: quick,
      error: "it ran over its time of 300 ms",
    },
    {
      note: "over its time, having written",
      body: `echo '{"a":1}'; exec >&- 2>&-; sleep 1000`,
      timeoutMs: quick,
      error: "it ran over its time of 300 ms",
    },
    { note: "endless standard error", body: "exec yes >&2", timeoutMs: quick, error: "it ran over its time of 300 ms" },
  ];
  for (const { note, body, timeoutMs = LONG_MS, error } of cases) {
    test(note, async () => {
      using dir = new ScriptDir();
      dir.writeShell("hook.sh", body);
      expect(await run(dir, { timeoutMs })).toEqual({ ok: false, error });
      await dir.allEnded();
    });
  }

  const outputs = [
    { note: "33 levels", text: nested(33), error: "its output is not acceptable: nested over 32 levels" },
    { note: "64 KiB and one", text: sized(OUTPUT_BYTES + 1), error: "it wrote over 64 KiB" },
    { note: "brackets without end", text: "[".repeat(OUTPUT_BYTES), error: "its output is not one JSON object" },
  ];
  for (const { note, text, error } of outputs) {
    test(note, async () => {
      using dir = new ScriptDir();
      dir.write("output", text);
      dir.writeShell("hook.sh", "cat output");
      expect(await run(dir)).toEqual({ ok: false, error });
    });
  }

  const programs = [
    {
      note: "a program without #!",
      text: "echo '{}'\n",
      error: "it cannot be run: it is neither a program nor a script with a #! line",
    },
    { note: "a missing interpreter", text: "#!/no/such\n", error: "it cannot be run: its interpreter does not exist" },
    { note: "an interpreter that may not be run", text: "#!/etc/passwd\n", error: `it cannot be run: "EACCES"` },
  ];
  for (const { note, text, error } of programs) {
    test(note, async () => {
      using dir = new ScriptDir();
      dir.write("hook.sh", text);
      expect(await run(dir)).toEqual({ ok: false, error });
    });
  }
});

describe("runHook runs a script", () => {
  test("with the context as one line on standard input", async () => {
    using dir = new ScriptDir();
    dir.writeShell("hook.sh", `read -r line && printf '{"line": %s}' "$line"`);
    const input = { run: { tool: "git", args: ["a b", "\n"] } };
    expect(await run(dir, { input })).toEqual({ ok: true, value: { line: input } });
  });

  test("in the rules directory, as leader of its own session, with three variables, the standard streams and the script", async () => {
    using dir = new ScriptDir();
    const body = [
      "tr '\\0' '\\n' < /proc/$$/environ > environment",
      "pwd > directory",
      "cut -d' ' -f1,5,6 /proc/$$/stat > session",
      "exec ls /proc/self/fd > descriptors",
    ];
    dir.writeShell("hook.sh", body.join("\n"));
    expect((await run(dir)).ok).toBe(false);
    const variables = dir.read("environment").trim().split("\n").map((line) => line.split("=")[0]);
    expect(variables.sort()).toEqual(["LANG", "OUTCALL_RULE_ID", "PATH"]);
    expect(dir.read("environment")).toContain("OUTCALL_RULE_ID=look\n");
    expect(dir.read("directory")).toBe(`${dir.path}\n`);
    expect(new Set(dir.read("session").trim().split(" ")).size).toBe(1);
    // Descriptor 4 is the directory that ls reads, and a shell moves the script's descriptor to a high number.
    const descriptors = dir.read("descriptors").trim().split("\n").map(Number);
    expect(descriptors.filter((fd) => fd < 10).sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test("that is a program of machine code", async () => {
    using dir = new ScriptDir();
    copyFileSync("/bin/cat", join(dir.path, "hook.sh"));
    const input = { a: [1, "b"] };
    expect(await run(dir, { input })).toEqual({ ok: true, value: input });
  });

  test("and ends it when told to", async () => {
    using dir = new ScriptDir();
    execFileSync("mkfifo", [join(dir.path, "started")]);
    dir.writeShell("hook.sh", "sleep 1000 & echo > started; wait");
    const giveUp = new AbortController();
    const running = run(dir, { signal: giveUp.signal });
    expect(await readFile(join(dir.path, "started"), "utf8")).toBe("\n");
    giveUp.abort();
    expect(await running).toEqual({ ok: false, error: "the evaluation was given up" });
    await dir.allEnded();
  });

  test("not at all when told to end before", async () => {
    using dir = new ScriptDir();
    dir.writeShell("hook.sh", "echo '{}'");
    expect(await run(dir, { signal: AbortSignal.abort() })).toEqual({
      ok: false,
      error: "the evaluation was given up",
    });
    expect(existsSync(join(dir.path, "group"))).toBe(false);
  });
});
