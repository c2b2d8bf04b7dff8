// The runtimes that the programs support, and the message under Node.js.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { checkRuntime, type Versions } from "../../src/command/runtime.ts";
import { sourceProgram } from "../support/program/programs.ts";
import { runProgram } from "../support/program/run-program.ts";

const AS_NODE = `--preload=${join(import.meta.dir, "..", "support", "program", "as-node.ts")}`;

describe("checkRuntime", () => {
  const supported: readonly { readonly note: string; readonly versions: Versions }[] = [
    { note: "this one", versions: process.versions },
    { note: "bun, which gives a version of node too", versions: { node: "24.0.0", bun: "1.4.5" } },
    { note: "deno, likewise", versions: { node: "24.0.0", deno: "2.9.6" } },
  ];
  for (const { note, versions } of supported) {
    test(note, () => expect(checkRuntime(versions)).toEqual({ ok: true, value: null }));
  }

  const refused: readonly { readonly note: string; readonly versions: Versions; readonly named: string }[] = [
    { note: "node", versions: { node: "24.21.0", v8: "13.6" }, named: "24.21.0" },
    { note: "something that gives no version at all", versions: {}, named: "of no version" },
  ];
  for (const { note, versions, named } of refused) {
    test(`command.runtime: ${note}`, () => {
      const message = `Node.js ${named} cannot run this from source: use Bun, Deno or the built programs`;
      expect(checkRuntime(versions)).toMatchObject({ ok: false, error: { code: "command.runtime", message } });
    });
  }
});

describe("under node a program says so in one line and does nothing", () => {
  const programs = [
    { name: "outcalld", prefix: "Error: ", code: 1 },
    { name: "outcall", prefix: "Error: ", code: 1 },
    // 5, like every other reason why the shim cannot ask.
    { name: "outcall-agent", prefix: "outcall-agent: ", code: 5 },
  ] as const;
  for (const { name, prefix, code } of programs) {
    test(name, async () => {
      const [bun = "", ...words] = sourceProgram(name);
      expect(await runProgram([bun, AS_NODE, ...words, "--version"])).toMatchObject({
        code,
        stdout: "",
        stderr: `${prefix}Node.js 24.0.0 cannot run this from source: use Bun, Deno or the built programs\n`,
      });
    });
  }
});
