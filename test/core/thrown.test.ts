import { readFileSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { isMissing, messageOf, systemCodeOf } from "../../src/core/thrown.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (cause) {
    return cause;
  }
}

describe("what was thrown", () => {
  const cases: readonly { note: string; thrown: unknown; message: unknown; code: unknown; missing: boolean }[] = [
    {
      note: "by the system, no such file",
      thrown: thrownBy(() => readFileSync("/nowhere")),
      message: expect.stringContaining("no such file"),
      code: "ENOENT",
      missing: true,
    },
    {
      note: "by the system, something else",
      thrown: thrownBy(() => readFileSync("/")),
      message: expect.stringContaining("directory"),
      code: "EISDIR",
      missing: false,
    },
    { note: "an error without a code", thrown: new Error("no"), message: "no", code: undefined, missing: false },
    {
      note: "a code that is no text",
      thrown: Object.assign(new Error("no"), { code: 7 }),
      message: "no",
      code: undefined,
      missing: false,
    },
    {
      note: "no error at all",
      thrown: { code: "ENOENT" },
      message: "[object Object]",
      code: undefined,
      missing: false,
    },
    { note: "nothing", thrown: undefined, message: "undefined", code: undefined, missing: false },
  ];
  for (const { note, thrown, message, code, missing } of cases) {
    test(note, () => {
      expect<unknown>([messageOf(thrown), systemCodeOf(thrown), isMissing(thrown)]).toEqual([message, code, missing]);
    });
  }
});
