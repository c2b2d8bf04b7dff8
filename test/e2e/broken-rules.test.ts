// Rules that do not load: exit 1, with file, line and rule, and no socket (S003-FR-015).
import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { daemonArgv, layOut, PLAIN_FLAGS, type RuleFiles } from "../support/program/daemon.ts";

const GOOD = 'version: "1"\nrules:\n  - {id: twice, condition: "true", action: block}\n';

type Case = {
  readonly note: string;
  readonly files: RuleFiles;
  readonly code: string;
  readonly place: string;
  readonly names: readonly string[];
};

const CASES: readonly Case[] = [
  {
    note: "CEL error",
    files: {
      "a.yaml": 'version: "1"\nrules:\n  - id: bad-rule\n    condition: network.hostname ==\n    action: allow\n',
    },
    code: "rule.cel-syntax",
    place: "a.yaml:4:",
    names: ["bad-rule"],
  },
  {
    note: "version two",
    files: { "a.yaml": 'version: "2"\nrules: []\n' },
    code: "rule.version",
    place: "a.yaml:1:",
    names: ["2"],
  },
  {
    note: "duplicate id",
    files: { "a.yaml": GOOD, "b.yaml": GOOD },
    code: "rule.duplicate-id",
    place: "b.yaml:3:",
    names: ["twice", "a.yaml:3"],
  },
  {
    note: "malformed YAML",
    files: { "a.yaml": 'version: "1"\nrules: [\n' },
    code: "rule.yaml",
    place: "a.yaml:",
    names: [],
  },
  {
    note: "wrong field",
    files: {
      "a.yaml": 'version: "1"\nrules:\n  - id: typo\n    condition: network.hostnam == "x"\n    action: allow\n',
    },
    code: "rule.unknown-field",
    place: "a.yaml:4:",
    names: ["typo", "hostname"],
  },
];

const made: string[] = [];
afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

describe("outcalld with rules that do not load", () => {
  for (const { note, files, code, place, names } of CASES) {
    test(note, () => {
      const laid = layOut(files);
      made.push(laid.dir);
      const [command = "", ...args] = daemonArgv(laid, PLAIN_FLAGS);
      const done = spawnSync(command, args, { encoding: "utf8" });
      expect(done.status).toBe(1);
      expect(done.stderr).toContain(`[${code}]`);
      expect(done.stderr).toContain(place);
      for (const name of names) expect(done.stderr).toContain(name);
      expect([laid.hostSocket, laid.agentSocket].map((path) => existsSync(path))).toEqual([false, false]);
    });
  }

  test("missing directory", () => {
    const laid = layOut({});
    made.push(laid.dir);
    const missing = join(laid.dir, "nowhere");
    const [command = "", ...args] = daemonArgv({ ...laid, rulesDir: missing }, ["--containers", "namespace"]);
    const done = spawnSync(command, args, { encoding: "utf8" });
    expect(done.status).toBe(1);
    expect(done.stderr).toContain(missing);
    expect([laid.hostSocket, laid.agentSocket].map((path) => existsSync(path))).toEqual([false, false]);
  });
});
