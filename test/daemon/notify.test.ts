// Notifications to a supervisor over a real datagram socket, and invalid addresses.
import { expect, test } from "bun:test";
import { addressOf, notify } from "../../src/daemon/notify.ts";

test("addressOf: a path with its end mark, an abstract name without", () => {
  expect(Buffer.from(addressOf("/run/n") ?? []).toString("latin1")).toBe("\x01\0/run/n\0");
  expect(Buffer.from(addressOf("@n") ?? []).toString("latin1")).toBe("\x01\0\0n");
});

const LONGEST = `/${"a".repeat(106)}`;
const cases: readonly (readonly [note: string, target: string, isAddress: boolean])[] = [
  ["the longest path", LONGEST, true],
  ["a longer one", `${LONGEST}a`, false],
  ["the longest abstract name", `@${"a".repeat(107)}`, true],
  ["a longer one", `@${"a".repeat(108)}`, false],
  ["a relative path", "run/n", false],
  ["no name", "@", false],
  ["nothing", "", false],
  ["a NUL", "/a\0b", false],
  ["another family", "vsock:2:1234", false],
];
test.each(cases)(
  "addressOf: %s (%p)",
  (_note, target, isAddress) => expect(addressOf(target) !== null).toBe(isAddress),
);

test("notify: a missing socket or an invalid address is daemon.notify", () => {
  for (const target of ["/nowhere/notify", "@outcall-nobody", "relative"]) {
    const told = notify(target, "READY=1");
    expect(told).toMatchObject({ ok: false, error: { code: "daemon.notify" } });
    expect(told.ok ? "" : told.error.message).toStartWith(`cannot notify "${target}": `);
  }
});
