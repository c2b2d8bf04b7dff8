import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTEXT_LIMIT_BYTES, readContexts } from "../../src/cli/context-input.ts";
import type { Io } from "../../src/cli/io.ts";
import { bytesOf } from "../support/program/cli-io.ts";

const home = process.cwd();
const cwd = mkdtempSync(join(tmpdir(), "context-"));
beforeAll(() => process.chdir(cwd));
afterAll(() => {
  process.chdir(home);
  rmSync(cwd, { recursive: true });
});

const quiet = {
  stdout: () => {},
  stderr: () => {},
  drained: () => Promise.resolve(),
  environment: {},
  isTerminal: { stdout: false, stderr: false },
  columns: () => null,
};

async function read(value: string, stdin: readonly (string | Uint8Array)[] = []): Promise<readonly unknown[]> {
  const io: Io = { ...quiet, stdin: bytesOf(stdin) };
  const out: unknown[] = [];
  for await (const context of readContexts({ flag: "context", value }, io)) {
    if (context.ok) expect(context.value.complete).toEqual({ observed: false, ...context.value.sent });
    out.push(context.ok ? context.value.sent : [context.error.code, context.error.message, context.error.hint]);
  }
  return out;
}

describe("readContexts from the argument", () => {
  const good = [
    { note: "an empty context", text: "{}", context: {} },
    { note: "white space around it", text: ' {"target": "x"}\n', context: { target: "x" } },
    {
      note: "the largest exact integer",
      text: '{"http":{"body_size":9007199254740991}}',
      context: { http: { body_size: 2 ** 53 - 1 } },
    },
    { note: "the highest port", text: '{"network":{"port":65535}}', context: { network: { port: 65_535 } } },
  ];
  for (const { note, text, context } of good) {
    test(note, async () => expect(await read(text)).toEqual([context]));
  }

  const bad = [
    { note: "no JSON", text: "{", message: "not JSON" },
    { note: "nothing", text: "", message: "not JSON" },
    { note: "a list", text: "[]", message: "a context is a JSON object" },
    { note: "null", text: "null", message: "a context is a JSON object" },
    { note: "an unknown namespace", text: '{"htp":{}}', message: 'unknown member "htp"', hint: 'did you mean "http"?' },
    {
      note: "an unknown field",
      text: '{"http":{"pth":""}}',
      message: 'unknown member "http.pth"',
      hint: 'did you mean "path"?',
    },
    { note: "what only hooks write", text: '{"enriched":{}}', message: 'unknown member "enriched"' },
    {
      note: "an integer beyond what is exact",
      text: '{"metadata":{"a":9007199254740992}}',
      message: 'integer beyond 2^53-1: "9007199254740992"',
    },
    {
      note: "a port too high",
      text: '{"network":{"port":65536}}',
      message: '"network.port": expected integer to be less or equal to 65535',
    },
  ];
  for (const { note, text, message, hint } of bad) {
    test(`${note} is a usage error`, async () => {
      expect(await read(text)).toEqual([["command.usage", `--context: ${message}`, hint]]);
    });
  }

  test("deep nesting is refused, not a stack overflow", async () => {
    const deep = `{"metadata":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
    const [[code, message] = []] = (await read(deep)) as [string, string][];
    expect(code).toBe("command.usage");
    expect(message).toMatch(/^--context: (nested over 32 levels|not JSON)$/);
  });
});

describe("readContexts from a file", () => {
  test("a file of several lines is one context", async () => {
    writeFileSync(join(cwd, "a.json"), '{\n  "target": "x"\n}\n');
    expect(await read("@a.json")).toEqual([{ target: "x" }]);
  });

  const bad = [
    { note: "bad JSON", bytes: "{", message: "not JSON" },
    { note: "not UTF-8", bytes: new Uint8Array([0x7b, 0xff, 0x7d]), message: "not UTF-8" },
    {
      note: "one byte over the limit",
      bytes: `{}${" ".repeat(CONTEXT_LIMIT_BYTES - 1)}`,
      message: "longer than 1048576 bytes",
    },
  ];
  for (const { note, bytes, message } of bad) {
    test(`${note} is an error that names the file`, async () => {
      writeFileSync(join(cwd, "bad.json"), bytes);
      expect(await read("@bad.json")).toEqual([["command.input", `"bad.json": ${message}`, undefined]]);
    });
  }

  test("a file at the limit", async () => {
    writeFileSync(join(cwd, "full.json"), `{}${" ".repeat(CONTEXT_LIMIT_BYTES - 2)}`);
    expect(await read("@full.json")).toEqual([{}]);
  });

  test("a missing file, a directory", async () => {
    expect(await read("@none")).toEqual([["command.input", '"none": no such file', undefined]]);
    expect(await read("@.")).toEqual([["command.input", '".": cannot be read: it is a directory', undefined]]);
  });
});

describe("readContexts from standard input", () => {
  test("one context a line, blank lines passed over, a last line without a break", async () => {
    expect(await read("-", ['{"target":"a"}\n\n  \n', '{"target":"b"}'])).toEqual([{ target: "a" }, { target: "b" }]);
  });

  test("nothing follows a bad line, which is named", async () => {
    const hint = 'did you mean "target"?';
    expect(await read("-", ['{}\n\n{"targt":1}\n{}\n'])).toEqual([
      {},
      ["command.input", 'line 3 of standard input: unknown member "targt"', hint],
    ]);
  });

  test("a line over the limit ends the input", async () => {
    const long = " ".repeat(CONTEXT_LIMIT_BYTES + 1);
    const message = "line 2 of standard input: longer than 1048576 bytes";
    expect(await read("-", ["{}\n", long, "\n{}\n"])).toEqual([{}, ["command.input", message, undefined]]);
  });
});
