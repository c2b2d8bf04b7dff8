// The opaque rule ids that agents see, and their key.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadRuleIdKey, opaqueRuleId } from "../../src/api/opaque-rule-id.ts";

const dirs: string[] = [];
afterAll(() => dirs.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

function stateDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "outcall-state-"));
  dirs.push(dir);
  return dir;
}

function key(dir: string) {
  const loaded = loadRuleIdKey(dir);
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

test("opaqueRuleId: the same for a rule over restarts, another for another rule or on another host", () => {
  const [here, there] = [stateDir(), stateDir()];
  const id = opaqueRuleId(key(here), "a");
  expect(id).toMatch(/^rule-[0-9a-f]{12}$/);
  expect(opaqueRuleId(key(here), "a")).toBe(id);
  expect(opaqueRuleId(key(here), "b")).not.toBe(id);
  expect(opaqueRuleId(key(there), "a")).not.toBe(id);
});

test("loadRuleIdKey: only the owner can read the file, and no other file remains", () => {
  const dir = stateDir();
  expect(key(dir).bytes).toHaveLength(32);
  expect(readdirSync(dir)).toEqual(["rule-id.key"]);
  expect(statSync(join(dir, "rule-id.key")).mode & 0o777).toBe(0o600);
});

test("loadRuleIdKey: a directory that is not there is daemon.configuration", () => {
  expect(loadRuleIdKey("/nowhere/at/all")).toMatchObject({ ok: false, error: { code: "daemon.configuration" } });
});
