// The files of envelopes in the state directory, and how the operator sees them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIRECTORIES_KEPT, ENVELOPES_KEPT } from "../../src/envelope/envelope-files.ts";
import type { Envelopes } from "../../src/envelope/envelopes.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import { containerIn, EnvelopeBench } from "../support/rulespec/envelopes.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

let bench: EnvelopeBench;
let envelopes: Envelopes;
beforeEach(() => {
  bench = new EnvelopeBench();
  bench.writeSpec("default.yaml", COMPLETE_RULESPEC);
  envelopes = bench.start();
});
afterEach(() => bench.dispose());

const id = "ab".repeat(32);
const a = containerIn(id);
const sessions = () => join(bench.stateDir, "sessions");
const dir = () => join(sessions(), id);
const FILES = ["datalog_evaluation.txt", "envelope.yaml", "rulespec.compiled.dl"];

describe("a session directory", () => {
  test("contains the newest envelope, its program and its report, readable by the daemon's user only", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    expect(readdirSync(dir()).sort()).toEqual(["000000001", ...FILES]);
    for (const path of [sessions(), dir(), join(dir(), "000000001")]) expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of FILES) {
      const [newest, numbered] = [join(dir(), name), join(dir(), "000000001", name)];
      expect(statSync(newest).mode & 0o777).toBe(0o600);
      expect(readFileSync(newest, "utf8")).toBe(readFileSync(numbered, "utf8"));
    }
    expect(parseProgram(readFileSync(join(dir(), "rulespec.compiled.dl"), "utf8")).ok).toBe(true);
    expect(readFileSync(join(dir(), "datalog_evaluation.txt"), "utf8")).toEndWith("Outcome: verified\n");
    const kept = readFileSync(join(dir(), "envelope.yaml"), "utf8");
    expect(kept).toContain(`"session": "${id}:1"`);
    expect(kept).toMatch(/"stamp": "hmac-sha256:[0-9a-f]{64}"/);
  });

  test("keeps the newest and their numbers", async () => {
    for (let count = 0; count < ENVELOPES_KEPT + 3; count++) await envelopes.write(a, `facts: {n: ${count}}\n`);
    const numbers = readdirSync(dir()).filter((name) => /^[0-9]+$/.test(name)).sort();
    expect(numbers).toHaveLength(ENVELOPES_KEPT);
    expect([numbers[0], numbers.at(-1)]).toEqual(["000000004", "000000023"]);
    expect(readFileSync(join(dir(), "envelope.yaml"), "utf8")).toContain(`"n": ${ENVELOPES_KEPT + 2}\n`);
    expect(readFileSync(join(dir(), "000000004", "envelope.yaml"), "utf8")).toContain('"n": 3\n');
  });

  test("has no report of another envelope", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    await bench.start(null).write(a, COMPLETE_ENVELOPE);
    expect(readdirSync(dir()).sort()).toEqual(["000000001", "000000002", "envelope.yaml"]);
    bench.writeSpec("default.yaml", "claims: 1\n");
    await envelopes.write(a, COMPLETE_ENVELOPE);
    expect(readdirSync(join(dir(), "000000003")).sort()).toEqual(["datalog_evaluation.txt", "envelope.yaml"]);
    expect(readFileSync(join(dir(), "datalog_evaluation.txt"), "utf8")).toEndWith("\n\nOutcome: failed\n");
  });

  test("that cannot be written refuses the envelope, and the one verified before no longer counts", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    expect(envelopes.contextOf(a).verified).toBe(true);
    rmSync(sessions(), { recursive: true });
    writeFileSync(sessions(), "");
    expect(await envelopes.write(a, COMPLETE_ENVELOPE)).toMatchObject({ ok: false, error: { code: "rulespec.store" } });
    expect(envelopes.contextOf(a)).toMatchObject({ verified: false, outcome: "failed" });
  });

  test("goes when there are too many, the longest unused first", async () => {
    mkdirSync(sessions(), { mode: 0o700 });
    for (let count = 0; count < DIRECTORIES_KEPT; count++) mkdirSync(join(sessions(), `old${count}`));
    utimesSync(join(sessions(), "old7"), 1, 1);
    await envelopes.write(a, COMPLETE_ENVELOPE);
    expect(readdirSync(sessions())).toHaveLength(DIRECTORIES_KEPT);
    expect(existsSync(join(sessions(), "old7"))).toBe(false);
    expect(existsSync(dir())).toBe(true);
  });
});

describe("view and list", () => {
  test("by id, short id and name; the stamp is checked against the present facts and rulespec", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    for (const wanted of [id, a.shortId, a.name]) {
      const view = await envelopes.view(wanted);
      if (!view.ok) throw new Error(view.error.message);
      expect(view.value).toMatchObject({
        container: id,
        session: `${id}:1`,
        outcome: "verified",
        holds: true,
        reason: null,
      });
      expect(view.value).toMatchObject({ passed: 7, skipped: 1, total: 8, directory: dir() });
    }
    bench.writeSpec("default.yaml", COMPLETE_RULESPEC.replace("value: 2", "value: 1"));
    const changed = await envelopes.view(id);
    const reason = "the stamp does not hold: the rulespec has changed";
    expect(changed.ok ? changed.value : null).toMatchObject({ outcome: "verified", holds: false, reason });
  });

  test("also of a container that is gone", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    const next = bench.start();
    for (const wanted of [id, a.shortId]) expect((await next.view(wanted)).ok).toBe(true);
    expect(next.list()).toEqual([]);
  });

  const unknown = ["nope", "", "..", "../state", `${id}x`, "ctr-000000000000", "ctr-ab"];
  test.each(unknown)("nothing of %p", async (wanted) => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    expect(await envelopes.view(wanted)).toMatchObject({ ok: false, error: { code: "rulespec.not-found" } });
  });

  test("an envelope that cannot be read is a problem, not nothing", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    rmSync(join(dir(), "envelope.yaml"));
    mkdirSync(join(dir(), "envelope.yaml"));
    expect(await envelopes.view(id)).toMatchObject({ ok: false, error: { code: "rulespec.store" } });
  });

  test("the list has every container's newest", async () => {
    await envelopes.write(a, COMPLETE_ENVELOPE);
    await envelopes.write(containerIn("b"), "facts: {x: 1}\n");
    bench.clock.monotonicMs += 5_000;
    expect(envelopes.list()).toMatchObject([
      {
        session: a.shortId,
        container: { id, name: a.name },
        outcome: "verified",
        verified: true,
        passed: 7,
        age_seconds: 5,
      },
      { container: { id: "b" }, outcome: "failed", verified: false, age_seconds: 5 },
    ]);
  });
});
