// What changes the fingerprint of a directory, and what does not.
import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprintOf } from "../../src/rule/fingerprint.ts";

const parent = mkdtempSync(join(tmpdir(), "fingerprint-"));
afterAll(() => rmSync(parent, { recursive: true }));

type Case = { readonly note: string; readonly change: (dir: string) => void; readonly shows: boolean };
const CASES: readonly Case[] = [
  { note: "nothing", change: () => {}, shows: false },
  { note: "a file that is no rule file", change: (dir) => writeFileSync(join(dir, "a.yaml.swp"), ""), shows: false },
  { note: "another size", change: (dir) => truncateSync(join(dir, "a.yaml"), 3), shows: true },
  { note: "another time", change: (dir) => utimesSync(join(dir, "a.yaml"), 1, 1), shows: true },
  { note: "another mode", change: (dir) => chmodSync(join(dir, "a.yaml"), 0o600), shows: true },
  { note: "another name", change: (dir) => renameSync(join(dir, "a.yaml"), join(dir, "b.yaml")), shows: true },
  { note: "a file more", change: (dir) => writeFileSync(join(dir, "b.yaml"), ""), shows: true },
  { note: "a file less", change: (dir) => rmSync(join(dir, "a.yaml")), shows: true },
  { note: "a link to nothing more", change: (dir) => symlinkSync("gone", join(dir, "b.yaml")), shows: true },
  { note: "what a link leads to", change: (dir) => writeFileSync(join(dir, "target"), "longer"), shows: true },
  { note: "the directory's mode", change: (dir) => chmodSync(dir, 0o755), shows: true },
  { note: "no directory", change: (dir) => rmSync(dir, { recursive: true }), shows: true },
  {
    note: "an equal directory in its place",
    change: (dir) => {
      renameSync(dir, `${dir}.old`);
      mkdirSync(dir);
    },
    shows: true,
  },
];

test.each(CASES)("fingerprintOf: $note", async ({ change, shows }) => {
  const dir = mkdtempSync(join(parent, "case-"));
  writeFileSync(join(dir, "a.yaml"), "text of a");
  writeFileSync(join(dir, "target"), "");
  symlinkSync("target", join(dir, "link.yaml"));
  const before = await fingerprintOf(dir);
  change(dir);
  const after = await fingerprintOf(dir);
  expect(after.text !== before.text).toBe(shows);
  expect(after.takenMs).toBeGreaterThanOrEqual(before.takenMs);
});
