// Reloads in this process: which requests share a load, what is replaced and what is kept, and when a load counts.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { systemClock } from "../../src/core/clock.ts";
import { ok } from "../../src/core/result.ts";
import { LiveRules } from "../../src/reload/live-rules.ts";
import { loadDirectory, type LoadedRules, loadStable, PATIENCE_MS } from "../../src/reload/load-directory.ts";
import { loadFirst, SMALL_BYTES } from "../../src/daemon/main.ts";
import type { LogFields } from "../../src/log/logger.ts";
import { ERRORS_LENGTH, Reloader } from "../../src/reload/reloader.ts";
import { fingerprintOf } from "../../src/rule/fingerprint.ts";
import { loadRules } from "../../src/rule/load-rules.ts";

setDefaultTimeout(120_000);

const dirs: string[] = [];
afterAll(() => dirs.forEach((dir) => rmSync(dir, { recursive: true })));

function rulesDir(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), "reload-"));
  dirs.push(dir);
  chmodSync(dir, 0o755);
  for (const [name, text] of Object.entries(files)) write(dir, name, text);
  return dir;
}

function write(dir: string, name: string, text: string): void {
  writeFileSync(join(dir, name), text, { mode: 0o644 });
}

function ruleFile(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, at) => `  - {id: r${at}, condition: "dns.query == '${at}'", action: allow}\n`,
  );
  return `version: "1"\nrules:\n${lines.join("")}`;
}

const program = new URL("../../src/outcalld.ts", import.meta.url);
const inThread = (dir: string) => loadDirectory({ dir, agentTimeoutMs: 5_000, program });
const first = (dir: string) => loadFirst({ dir, agentTimeoutMs: 5_000, program });

/** A load that a test can hold: each call waits until the test continues it, and the test can see that it started. */
class HeldLoad {
  readonly #dir: string;
  readonly waiting: (() => void)[] = [];
  #begun: () => void = () => {};

  constructor(dir: string) {
    this.#dir = dir;
  }

  readonly load = async (): Promise<LoadedRules> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.push(resolve);
    this.#begun();
    await promise;
    return await loadHere(this.#dir);
  };

  async begun(count: number): Promise<void> {
    while (this.waiting.length < count) await new Promise<void>((resolve) => (this.#begun = resolve));
  }
}

async function loadHere(dir: string): Promise<LoadedRules> {
  const fingerprint = await fingerprintOf(dir);
  return { ...loadRules({ dir, trust: "owner" }), fingerprint };
}

async function bench(dir: string, load: () => Promise<LoadedRules> = () => loadHere(dir)) {
  const records: Record<string, unknown>[] = [];
  const put = (level: string) => (event: string, fields: LogFields) => void records.push({ level, event, ...fields });
  const log = { debug: put("debug"), info: put("info"), warning: put("warning"), error: put("error") };
  const first = await loadHere(dir);
  if (first.set === null) throw new Error("the first rules load");
  const rules = new LiveRules({ set: first.set, loadedAt: new Date(0) });
  const keep = () => Promise.resolve(ok(null));
  const reloader = new Reloader({ dir, load, rules, clock: systemClock, log, keep, first: first.fingerprint });
  return { rules, reloader, records };
}

describe.each([["loadDirectory in a thread", inThread], ["loadFirst", first]] as const)("%s", (_name, load) => {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "nothing": {},
    "rules, definitions and hooks": {
      "a.yaml": 'version: "1"\ndefinitions: {d: dns.query == "x"}\nrules:\n  - {id: a, condition: $d, action: allow}\n',
      "b.yaml": 'version: "1"\nrules:\n  - {id: b, condition: "true", action: enrich, enrich: {script: gone.sh}}\n',
    },
    "more rules than one part": { "a.yaml": ruleFile(2_500), "b.yaml": ruleFile(1).replaceAll("r0", "other") },
    "errors of every step": {
      "a.yaml": "version: [",
      "b.yaml": 'version: "1"\nrules:\n  - {id: b, condition: dns.nope, action: allow, extra: 1}\n',
      "c.yaml": 'version: "1"\nrules:\n  - {id: b, condition: $gone, action: enrich, enrich: {script: /x}}\n',
    },
    "not a map": { "a.yaml": "- 1\n" },
  };
  for (const [note, files] of Object.entries(texts)) {
    test(`gives what loading here gives: ${note}`, async () => {
      const dir = rulesDir(files);
      const [here, there] = [loadRules({ dir, trust: "owner", agentTimeoutMs: 5_000 }), await load(dir)];
      expect(there.findings).toEqual([...here.findings]);
      expect([there.files, there.rules, there.set?.digest]).toEqual([here.files, here.rules, here.set?.digest]);
      expect(there.set?.rules.map(({ predicate: _, ...rule }) => rule))
        .toEqual(here.set?.rules.map(({ predicate: _, ...rule }) => rule));
    });
  }

  test("a directory that is not there, or that others may write, is a finding", async () => {
    const dir = rulesDir();
    chmodSync(dir, 0o777);
    expect((await load(dir)).findings).toMatchObject([{
      code: "rule.file",
      message: expect.stringContaining("group or others"),
    }]);
    expect(await load(`${dir}/gone`)).toMatchObject({ set: null, findings: [{ code: "rule.file" }] });
  });
});

describe("loadDirectory", () => {
  test("a worker that cannot be started is a finding", async () => {
    const dir = rulesDir();
    const loaded = await loadDirectory({ dir, agentTimeoutMs: 1, program: new URL("file:///nowhere/program.ts") });
    expect(loaded).toMatchObject({ set: null, findings: [{ code: "rule.file", severity: "error" }] });
  });
});

describe("loadFirst", () => {
  const sizes: readonly (readonly [note: string, sizeBytes: number, findings: readonly object[]])[] = [
    ["the largest small directory needs no worker", SMALL_BYTES, []],
    ["a byte more is for a worker", SMALL_BYTES + 1, [{ code: "rule.file", severity: "error" }]],
  ];
  for (const [note, sizeBytes, findings] of sizes) {
    test(note, async () => {
      const half = ruleFile(1);
      const dir = rulesDir({ "a.yaml": half, "b.yaml": "# ".padEnd(sizeBytes - half.length - 1, "x") + "\n" });
      const loaded = await loadFirst({ dir, agentTimeoutMs: 1, program: new URL("file:///nowhere/program.ts") });
      expect(loaded.findings.filter(({ code }) => code === "rule.file")).toMatchObject([...findings]);
    });
  }
});

describe("loadStable", () => {
  test("a directory that changed while it was loaded is loaded again, and only that load counts", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    let loads = 0;
    const loaded = await loadStable(
      async () => {
        const before = await loadHere(dir);
        loads++;
        if (loads < 3) write(dir, "a.yaml", ruleFile(1 + loads));
        return before;
      },
      dir,
      systemClock,
    );
    expect({ loads, rules: loaded.set?.rules.length }).toEqual({ loads: 3, rules: 3 });
  });

  test("a swap to another directory and back does not pass for rest", async () => {
    const [dir, other] = [rulesDir({ "a.yaml": ruleFile(1) }), rulesDir({ "a.yaml": ruleFile(2) })];
    let loads = 0;
    const loaded = await loadStable(() => loadHere(loads++ === 0 ? other : dir), dir, systemClock);
    expect({ loads, rules: loaded.set?.rules.length }).toEqual({ loads: 2, rules: 1 });
  });

  test("a directory that never comes to rest does not load", async () => {
    const dir = rulesDir();
    let nowMs = 0;
    const clock = { now: () => new Date(0), monotonicMs: () => (nowMs += PATIENCE_MS / 2) };
    const loaded = await loadStable(
      async () => {
        const before = await loadHere(dir);
        write(dir, `${nowMs}.yaml`, "");
        return before;
      },
      dir,
      clock,
    );
    expect(loaded.set).toBeNull();
    expect(loaded.findings.at(-1)?.message).toContain("did not stop changing for 10 s");
  });
});

describe("Reloader", () => {
  test("swaps in what loads, says so, and remembers it", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    const { rules, reloader, records } = await bench(dir);
    const before = rules.current;
    expect(reloader.last).toBeNull();
    write(dir, "a.yaml", ruleFile(2));
    const reloaded = await reloader.reload("api");
    expect(reloaded).toMatchObject({ ok: true, value: { digest: rules.current.set.digest } });
    expect(rules.current.set.rules.length).toBe(2);
    expect(rules.current.loadedAt.getTime()).toBeGreaterThan(before.loadedAt.getTime());
    expect(reloader.last?.error).toBeNull();
    expect(records).toMatchObject([{ level: "info", event: "rules.reloaded", cause: "api", files: 1, rules: 2 }]);
    expect(before.set.rules.length).toBe(1);
  });

  test("keeps the rules in force if anything is wrong, with daemon.reload-failed and every error in the log", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    const { rules, reloader, records } = await bench(dir);
    const { set } = rules.current;
    write(dir, "b.yaml", "version: 1\n");
    write(dir, "c.yaml", "x: [");
    const reloaded = await reloader.reload("signal");
    expect(reloaded).toMatchObject({ ok: false, error: { code: "daemon.reload-failed" } });
    expect(reloaded.ok ? "" : reloaded.error.message)
      .toMatch(/^reload failed: \S+b\.yaml:1:10: .*; \S+c\.yaml:1:\d+: .*\. Previous rules remain active\.$/);
    expect(rules.current.set).toBe(set);
    expect(reloader.last?.error).toContain("b.yaml:1:10");
    expect(records.map(({ level, event }) => [level, event])).toEqual([
      ["error", "rule.error"],
      ["error", "rule.error"],
      ["error", "rules.reload-failed"],
    ]);
    for (const name of ["b.yaml", "c.yaml"]) rmSync(join(dir, name));
    expect((await reloader.reload("signal")).ok).toBe(true);
    expect(reloader.last?.error).toBeNull();
  });

  test("an answer of very many errors names the first and counts the rest", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    const { reloader, records } = await bench(dir);
    for (let file = 0; file < 50; file++) write(dir, `b${file}.yaml`, "version: 1\n");
    const reloaded = await reloader.reload("api");
    const message = reloaded.ok ? "" : reloaded.error.message;
    expect(message).toMatch(/^reload failed: \S+b0\.yaml:1:10: .*; and \d+ more\. Previous rules remain active\.$/);
    expect(message.length).toBeLessThan(2 * ERRORS_LENGTH);
    expect(records.filter(({ event }) => event === "rule.error")).toHaveLength(50);
  });

  test("one load at a time; requests during a load share the next one, which starts after them", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    const held = new HeldLoad(dir);
    const { rules, reloader } = await bench(dir, held.load);
    const first = reloader.reload("api");
    await held.begun(1);
    const later = Array.from({ length: 100 }, () => reloader.reload("watch"));
    write(dir, "a.yaml", ruleFile(2));
    held.waiting[0]?.();
    await first;
    await held.begun(2);
    held.waiting[1]?.();
    const outcomes = await Promise.all(later);
    expect(new Set(outcomes).size).toBe(1);
    expect(held.waiting).toHaveLength(2);
    expect(rules.current.set.rules.length).toBe(2);
  });

  test("a bug in one load reaches who asked for it, and the next load is made", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    let loads = 0;
    const { reloader } = await bench(dir, () => {
      if (loads++ === 0) throw new Error("a bug");
      return loadHere(dir);
    });
    expect(reloader.reload("api")).rejects.toThrow("a bug");
    expect((await reloader.reload("watch")).ok).toBe(true);
  });

  test("hasLoaded: true for the files loaded last, unless one may have been written in the same clock tick", async () => {
    const dir = rulesDir({ "a.yaml": ruleFile(1) });
    const { reloader } = await bench(dir);
    const now = await fingerprintOf(dir);
    expect(reloader.hasLoaded({ ...now, changedMs: now.takenMs - 60_000 })).toBe(true);
    expect(reloader.hasLoaded({ ...now, changedMs: now.takenMs })).toBe(false);
    write(dir, "b.yaml", 'version: "1"\n');
    expect(reloader.hasLoaded({ ...await fingerprintOf(dir), changedMs: 0 })).toBe(false);
  });
});
