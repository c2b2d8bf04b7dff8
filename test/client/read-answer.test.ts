// decodeAnswer(): envelope, status and data must be consistent.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { decodeAnswer, describeRefusal } from "../../src/client/read-answer.ts";
import type { Answer } from "../../src/client/call.ts";

const DATA = Type.Object({ n: Type.Integer() }, { additionalProperties: false });

function answer(status: number, body: unknown, retryAfter?: string): Answer {
  return { status, body, retryAfter, record: undefined };
}

test("decodeAnswer gives the data of a success", () => {
  const reply = decodeAnswer(DATA, answer(201, { success: true, data: { n: 1 } }));
  expect(reply).toEqual({ ok: true, value: { kind: "data", status: 201, data: { n: 1 } } });
});

test("decodeAnswer gives status, text and seconds of a refusal", () => {
  const reply = decodeAnswer(DATA, answer(429, { success: false, error: "slow down" }, "12"));
  expect(reply).toEqual({
    ok: true,
    value: { kind: "refused", status: 429, error: "slow down", retryAfterSeconds: 12 },
  });
});

const seconds: readonly [text: string | undefined, seconds: number | undefined][] = [
  ["1", 1],
  ["99999", 99_999],
  ["100000", undefined],
  ["0", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["", undefined],
  ["Fri, 31 Dec 1999 23:59:59 GMT", undefined],
  [undefined, undefined],
];
test.each(seconds)("decodeAnswer reads Retry-After %p as %p", (text, expected) => {
  const reply = decodeAnswer(DATA, answer(429, { success: false, error: "x" }, text));
  expect(reply.ok && reply.value.kind === "refused" ? reply.value.retryAfterSeconds : "none").toBe(expected);
});

const bad: readonly [note: string, answer: Answer][] = [
  ["a failure under 200", answer(200, { success: false, error: "x" })],
  ["a success under 400", answer(400, { success: true, data: { n: 1 } })],
  ["a redirection", answer(302, { success: true, data: { n: 1 } })],
  ["no status", answer(0, { success: true, data: { n: 1 } })],
  ["no envelope", answer(200, { n: 1 })],
  ["another member in the envelope", answer(200, { success: true, data: { n: 1 }, more: 1 })],
  ["another member in the data", answer(200, { success: true, data: { n: 1, more: 1 } })],
  ["no data", answer(200, { success: true })],
  ["data of another type", answer(200, { success: true, data: { n: "1" } })],
  ["success as text", answer(200, { success: "true", data: { n: 1 } })],
  ["a list", answer(200, [])],
  ["null", answer(200, null)],
  ["a failure without a text", answer(500, { success: false })],
  ["a failure with a number", answer(500, { success: false, error: 5 })],
];
test.each(bad)("decodeAnswer refuses %s", (_note, given) => {
  expect(decodeAnswer(DATA, given)).toMatchObject({ ok: false, error: { code: "client.bad-answer" } });
});

test("describeRefusal gives one printable line of bounded length", () => {
  const text = `a\n\u001b[31m${"x".repeat(2000)}`;
  const { code, message } = describeRefusal({ kind: "refused", status: 400, error: text });
  expect(code).toBe("client.refused");
  expect(message.startsWith("a\\u{a}\\u{1b}[31mxxx")).toBe(true);
  expect(message.length).toBeLessThan(1100);
});
