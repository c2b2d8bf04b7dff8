// userName() and groupId() read the host's own user and group files.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupId, userName } from "../../src/state/host-names.ts";

const dir = mkdtempSync(join(tmpdir(), "outcall-names-"));
afterAll(() => rmSync(dir, { recursive: true }));
const list = join(dir, "list");
writeFileSync(list, "root:x:0:\n:x:7:\nops:x:4711:ann,ben\nbroken:x:-1:\nshort:x\nops:x:1:\nlong:x:99999999999:\n");

test("groupId returns the number of the first matching entry, or null if it has no valid number", () => {
  expect([groupId("ops", list), groupId("root", list)]).toEqual([4711, 0]);
  for (const name of ["nothing", "broken", "short", "long", "x", "ann"]) {
    expect([name, groupId(name, list)]).toEqual([name, null]);
  }
  expect(groupId("ops", join(dir, "missing"))).toBeNull();
});

test("userName returns the name for a number, or null if the list has none", () => {
  expect([userName(4711, list), userName(0, list)]).toEqual(["ops", "root"]);
  expect([userName(7, list), userName(8, list), userName(0, join(dir, "missing"))]).toEqual([null, null, null]);
});
