import { describe, expect, test } from "bun:test";
import { completeContext } from "../../src/action/complete-context.ts";
import { contextOf } from "../../src/action/request-context.ts";
import type { PermissionBody } from "../../src/wire/agent-api.ts";
import { readContextCases } from "./context-table.ts";
import { CASES, Random, SEED } from "./random.ts";

const cases = readContextCases();

describe("contextOf follows the table", () => {
  test("the table has notes of its own and at least 150 rows", () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(new Set(cases.map((row) => row.note)).size).toBe(cases.length);
  });

  for (const { note, request, expected } of cases) {
    test(`${request.action_type}: ${note}`, () => {
      const result = contextOf(request);
      if (!("refused" in expected)) {
        expect(result).toEqual({ ok: true, value: expected });
        expect(completeContext(expected)).toEqual({ ok: true, value: { observed: false, ...expected } });
        return;
      }
      expect(result.ok ? result.value : result.error.message).toContain(expected.refused);
      expect(result).toMatchObject({ ok: false, error: { code: "daemon.unprocessable" } });
    });
  }
});

test("contextOf keeps a key __proto__ as an entry, in metadata and in run.context", () => {
  const metadata = JSON.parse('{"__proto__": ["x"], "k": 1}');
  const result = contextOf({ action_type: "tool_exec", target: "ls", metadata });
  expect(result.ok && JSON.stringify(result.value.metadata)).toBe('{"__proto__":["x"],"k":1}');
  expect(result.ok && JSON.stringify(result.value.run?.context)).toBe(
    '{"__proto__":["x"],"k":1,"action_type":"tool_exec","target":"ls"}',
  );
});

test("contextOf leaves the request as it was and shares no session token", () => {
  const request = { action_type: "tool_exec", target: "ls", metadata: { argv: ["-a"] }, session_token: "tok-secret" };
  const before = JSON.stringify(request);
  expect(JSON.stringify(contextOf(request))).not.toContain("tok-secret");
  expect(JSON.stringify(request)).toBe(before);
});

test("contextOf names no password of user info and no query in a refusal", () => {
  for (
    const target of ["https://u:hunter2@h.example/", "u:hunter2@h", "https://h:0/?hunter2", "https://a..b/?hunter2"]
  ) {
    const result = contextOf({ action_type: "network_call", target });
    expect(result.ok ? "allowed" : result.error.message).not.toMatch(/hunter2|allowed/);
  }
});

const PIECES = [
  ..."abz019.-_/\\:@%?#[]{}()<>|&;$`'\"!*~^+=, \t\n\0\r\u00ad\u3002\uff0e\u200d\ud800\udc00éß\u0130\u202e",
  "://",
  "https://",
  "ssh://",
  "::",
  "::ffff:",
  "0x",
  "xn--",
  "%2e",
  "..",
  "--",
  "-uf",
  "127.0.0.1",
  "\u{1f4a9}",
  "a".repeat(300),
];

function randomRequest(random: Random): PermissionBody {
  const text = () => random.text(PIECES, 12);
  const value = () =>
    random.pick<() => unknown>([
      text,
      text,
      () => [text(), text()],
      () => ["-" + text(), "--", text()],
      () => random.below(1e9) - 5e8,
      () => random.pick([NaN, Infinity, -0, 1e300, 0.1, null, true, {}, [[]], [1]]),
    ])();
  const keys = ["argv", "cwd", "method", "protocol", "mode", "__proto__", text()];
  const entries = keys.filter(() => random.below(3) === 0).map((key) => [key, value()]);
  return {
    action_type: random.pick(["tool_exec", "shell_exec", "network_call", "network_call", "file_access", text()]),
    target: text(),
    metadata: Object.fromEntries(entries),
  };
}

test("contextOf never throws, and refuses in one printable line", () => {
  const random = new Random(SEED);
  let accepted = 0;
  for (let round = 0; round < CASES; round++) {
    const request = randomRequest(random);
    const about = `seed ${SEED}, round ${round}: ${JSON.stringify(request)}`;
    const result = contextOf(request);
    accepted += result.ok ? 1 : 0;
    if (result.ok) {
      // All these contexts are canonical, so completing them again changes nothing.
      const again = completeContext(result.value);
      expect(again.ok ? again.value : again.error.message, about).toEqual({ observed: false, ...result.value });
      expect(JSON.parse(JSON.stringify(result.value.metadata)), about).toEqual(
        JSON.parse(JSON.stringify(request.metadata)),
      );
    } else {
      expect(result.error.code, about).toBe("daemon.unprocessable");
      expect(result.error.message, about).toMatch(/^[a-z][^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[^.]$/u);
    }
  }
  expect(accepted).toBeGreaterThan(0);
});
