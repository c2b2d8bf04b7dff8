// The envelopes that rules see: the newest one of the present instance of the asking container. It counts as verified
// only under the present rulespec. Envelopes of other containers or earlier instances do not count.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelopes } from "../../src/envelope/envelopes.ts";
import { NO_ENVELOPE } from "../../src/core/always-given.ts";
import { containerIn, EnvelopeBench } from "../support/rulespec/envelopes.ts";

const SPEC = `claims: [{name: done, selector: done}]
predicates:
  - {claim: done, rule: equals, value: true, source: memory, notes: be done}
  - {claim: done, rule: exists, source: memory}
`;
const GOOD = "facts: {done: true}\n";
const BAD = "facts: {done: false}\n";

let bench: EnvelopeBench;
let envelopes: Envelopes;
beforeEach(() => {
  bench = new EnvelopeBench();
  bench.writeSpec("default.yaml", SPEC);
  envelopes = bench.start();
});
afterEach(() => bench.dispose());

const a = containerIn("a");

async function write(text: string, container = a, to = envelopes) {
  const written = await to.write(container, text);
  if (!written.ok) throw new Error(written.error.message);
  return written.value;
}

describe("contextOf", () => {
  test("before the first: not verified, as old as can be said, no facts", () => {
    expect(envelopes.contextOf(a)).toEqual(NO_ENVELOPE);
    expect(NO_ENVELOPE).toEqual({ verified: false, outcome: "none", age_seconds: 2 ** 53 - 1, facts: {} });
  });

  test("the newest counts, whatever became of it", async () => {
    await write(GOOD);
    expect(envelopes.contextOf(a)).toMatchObject({ verified: true, outcome: "verified", facts: { done: true } });
    await write(BAD);
    expect(envelopes.contextOf(a)).toMatchObject({ verified: false, outcome: "failed", facts: { done: false } });
    await write(GOOD);
    expect(envelopes.contextOf(a)).toMatchObject({ verified: true, outcome: "verified" });
  });

  test("a text that is no envelope changes nothing", async () => {
    await write(GOOD);
    const refused = await envelopes.write(a, "done: true\n");
    expect(refused).toMatchObject({ ok: false, error: { code: "daemon.unprocessable" } });
    expect(envelopes.contextOf(a)).toMatchObject({ verified: true, outcome: "verified" });
  });

  test("only envelopes of the asking container's present instance count", async () => {
    await write(GOOD);
    expect(envelopes.contextOf(containerIn("b"))).toEqual(NO_ENVELOPE);
    expect(envelopes.contextOf(containerIn("a", 2))).toEqual(NO_ENVELOPE);
    expect(envelopes.contextOf(containerIn("b", 1, a.name))).toEqual(NO_ENVELOPE);
    // A late answer of the earlier instance does not count for the later one.
    await write(BAD, containerIn("a", 2));
    await write(GOOD, a);
    expect(envelopes.contextOf(containerIn("a", 2))).toEqual(NO_ENVELOPE);
  });

  test("a life that has ended is forgotten, another's end is nothing", async () => {
    await write(GOOD);
    envelopes.drop(containerIn("a", 0));
    expect(envelopes.contextOf(a)).toMatchObject({ verified: true });
    envelopes.drop(a);
    expect(envelopes.contextOf(a)).toEqual(NO_ENVELOPE);
  });

  test("age in whole seconds, on the clock that never goes back", async () => {
    await write(GOOD);
    expect(envelopes.contextOf(a).age_seconds).toBe(0);
    bench.clock.monotonicMs += 2_999;
    bench.clock.wallMs -= 86_400_000;
    expect(envelopes.contextOf(a).age_seconds).toBe(2);
  });

  const changes: readonly { readonly note: string; readonly change: () => void }[] = [
    { note: "another text", change: () => bench.writeSpec("default.yaml", SPEC.replace("true", "false")) },
    { note: "the same text written again", change: () => bench.writeSpec("default.yaml", SPEC) },
    { note: "a file for this container", change: () => bench.writeSpec("name-a.yaml", SPEC) },
    { note: "no file any more", change: () => bench.writeSpec("default.yaml", "") },
  ];
  for (const { note, change } of changes) {
    test(`what was verified under another rulespec is not: ${note}`, async () => {
      await write(GOOD);
      change();
      expect(envelopes.contextOf(a)).toMatchObject({ verified: false, outcome: "unverified", facts: { done: true } });
    });
  }
});

describe("write", () => {
  test("shows the result, and the notes of failed predicates", async () => {
    expect((await write(GOOD)).summary).toEqual({
      session: a.shortId,
      outcome: "verified",
      passed: 2,
      failed: 0,
      skipped: 0,
      total: 2,
      failures: [],
    });
    expect((await write(BAD)).summary).toMatchObject({ outcome: "failed", failed: 1, failures: ["be done"] });
    expect((await write("facts: {x: 1}\n")).summary).toMatchObject({ failed: 2, failures: ["be done"] });
  });

  test("unverified where no rulespec is configured", async () => {
    const none = bench.start(null);
    const { summary, error } = await write(GOOD, a, none);
    expect(summary).toMatchObject({ outcome: "unverified", total: 0, failures: [] });
    expect(error).toBeNull();
    expect(none.contextOf(a)).toMatchObject({ verified: false, outcome: "unverified", facts: { done: true } });
  });

  test("a directory without a file for the container is no rulespec", async () => {
    const empty = join(bench.dir, "empty");
    mkdirSync(empty, { mode: 0o700 });
    expect((await write(GOOD, a, bench.start({ kind: "dir", path: empty }))).summary.outcome).toBe("unverified");
  });

  test("vacuous is not verified", async () => {
    bench.writeSpec("default.yaml", "claims: []\n");
    expect((await write(GOOD)).summary.outcome).toBe("vacuous");
    expect(envelopes.contextOf(a)).toMatchObject({ verified: false, outcome: "vacuous" });
  });

  test("the file of the container's name goes before the default, and never makes way for it", async () => {
    bench.writeSpec("name-a.yaml", SPEC.replace("value: true", "value: false"));
    expect((await write(GOOD)).summary.outcome).toBe("failed");
    expect((await write(GOOD, containerIn("b"))).summary.outcome).toBe("verified");
    bench.writeSpec("name-a.yaml", "claims: 1\n");
    expect((await write(GOOD)).summary.outcome).toBe("failed");
  });

  const broken: readonly { readonly note: string; readonly change: () => void; readonly code: string }[] = [
    { note: "is no YAML", change: () => bench.writeSpec("default.yaml", "{"), code: "rulespec.yaml" },
    { note: "has another shape", change: () => bench.writeSpec("default.yaml", "x: 1"), code: "rulespec.schema" },
    {
      note: "others may write",
      change: () => chmodSync(join(bench.specs, "default.yaml"), 0o622),
      code: "rulespec.file",
    },
    { note: "lies where others may write", change: () => chmodSync(bench.specs, 0o777), code: "rulespec.file" },
    { note: "is a directory", change: () => mkdirSync(join(bench.specs, "name-a.yaml")), code: "rulespec.file" },
  ];
  for (const { note, change, code } of broken) {
    test(`a rulespec that ${note} fails everything, and only the operator learns why`, async () => {
      change();
      const { summary, error } = await write(GOOD);
      expect(summary).toMatchObject({ outcome: "failed", passed: 0, failed: 0, skipped: 0, total: 0, failures: [] });
      expect(error).toMatchObject({ code });
      expect(envelopes.contextOf(a)).toMatchObject({ verified: false, outcome: "failed" });
    });
  }

  test("a rulespec inside a directory that any container mounts is never read", async () => {
    const mounting = (id: string, path: string) => ({ ...containerIn(id), mounts: ["/nowhere", path] });
    for (const path of [bench.specs, bench.dir, `${bench.dir}/`, "/", join(bench.specs, "default.yaml")]) {
      const { summary, error } = await write(GOOD, mounting("a", path));
      expect({ path, outcome: summary.outcome }).toEqual({ path, outcome: "failed" });
      expect(error?.message).toContain("which a container mounts");
    }
    const link = join(bench.dir, "link");
    symlinkSync(bench.specs, link);
    expect((await write(GOOD, mounting("a", link))).summary.outcome).toBe("failed");
    // An envelope of another container does not count either.
    expect((await write(GOOD, containerIn("b"))).summary.outcome).toBe("failed");
    envelopes.drop(containerIn("a"));
    expect((await write(GOOD, containerIn("b"))).summary.outcome).toBe("verified");
    expect((await write(GOOD, mounting("b", `${bench.specs}x`))).summary.outcome).toBe("verified");
  });

  test("a container whose name no file can have fails", async () => {
    const { summary, error } = await write(GOOD, containerIn("a", 1, "../specs/default"));
    expect(summary.outcome).toBe("failed");
    expect(error?.message).toBe('no file is named like container "../specs/default"');
  });

  test("a verification over its limits fails", async () => {
    bench.writeSpec(
      "default.yaml",
      'claims: [{name: t, selector: t}]\npredicates: [{claim: t, rule: matches, value: "(a|b){200}", source: memory}]\n',
    );
    const { summary, error } = await write(`facts: {t: "${"a".repeat(60_000)}"}\n`);
    expect(summary).toMatchObject({ outcome: "failed", passed: 0, failed: 0, total: 1 });
    expect(error?.code).toBe("rulespec.limit");
  });

  test("an agent gets the errors of its own text as one line, with places", async () => {
    const refused = await envelopes.write(a, "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: \u202e\n");
    if (refused.ok) throw new Error("accepted");
    expect(refused.error.message).toStartWith(
      'the envelope is refused: line 1: missing member "facts" (an envelope is',
    );
    expect(refused.error.message).toEndWith("; and 2 more");
    expect(refused.error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("restore", () => {
  test("an envelope that an earlier daemon verified counts while its stamp is valid", async () => {
    await write(GOOD);
    bench.clock.wallMs += 90_000;
    const next = bench.start();
    expect(next.contextOf(a)).toEqual(NO_ENVELOPE);
    expect(await next.restore(a)).toBeNull();
    expect(next.contextOf(a)).toEqual({ verified: true, outcome: "verified", age_seconds: 90, facts: { done: true } });
  });

  test("an envelope from the future is not younger than now", async () => {
    await write(GOOD);
    bench.clock.wallMs -= 90_000;
    const next = bench.start();
    await next.restore(a);
    expect(next.contextOf(a).age_seconds).toBe(0);
  });

  test("not for a later life, and not for another container", async () => {
    await write(GOOD);
    const next = bench.start();
    for (const other of [containerIn("a", 2), containerIn("b")]) {
      expect(await next.restore(other)).toBeNull();
      expect(next.contextOf(other)).toEqual(NO_ENVELOPE);
    }
  });

  test("what failed is restored as failed", async () => {
    await write(BAD);
    const next = bench.start();
    await next.restore(a);
    expect(next.contextOf(a)).toMatchObject({ verified: false, outcome: "failed", facts: { done: false } });
  });

  const changes: readonly { readonly note: string; readonly change: () => Envelopes }[] = [
    { note: "a changed fact", change: () => edit((text) => text.replace('"done": true', '"done": true\n  "more": 1')) },
    { note: "a changed time", change: () => edit((text) => text.replace("12:00:00", "12:00:01")) },
    { note: "an outcome made up", change: () => edit((text) => text.replace(/"hmac.*"/, "null")) },
    {
      note: "a changed rulespec",
      change: () => (bench.writeSpec("default.yaml", SPEC.replace("be done", "x")), bench.start()),
    },
    { note: "no rulespec", change: () => bench.start(null) },
    { note: "another key", change: () => bench.start(undefined, new Uint8Array(32).fill(1)) },
  ];
  for (const { note, change } of changes) {
    test(`is not verified after ${note}`, async () => {
      await write(GOOD);
      const next = change();
      expect((await next.restore(a))?.code).toBe("rulespec.unverified");
      expect(next.contextOf(a)).toMatchObject({ verified: false, outcome: "unverified" });
    });
  }

  test("a file that is none is no envelope", async () => {
    await write(GOOD);
    const next = edit(() => "facts\n");
    expect((await next.restore(a))?.code).toBe("rulespec.unverified");
    expect(next.contextOf(a)).toEqual(NO_ENVELOPE);
  });

  test("does not overwrite a file that was written since", async () => {
    await write(GOOD);
    await write(BAD, a, envelopes);
    await envelopes.restore(a);
    expect(envelopes.contextOf(a).outcome).toBe("failed");
  });

  function edit(change: (text: string) => string): Envelopes {
    const path = join(bench.stateDir, "sessions", "a", "envelope.yaml");
    const text = readFileSync(path, "utf8");
    expect(change(text)).not.toBe(text);
    writeFileSync(path, change(text));
    return bench.start();
  }
});
