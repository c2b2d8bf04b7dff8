// The file of rule requests: what was added survives a restart, and a foreign file is never taken for ours.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasStore, LIST_LIMIT, RequestStore, STORE_FILE } from "../../src/request/request-store.ts";
import type { RuleRequest, StoredState } from "../../src/wire/stored-request.ts";
import { BUILDER, OTHER, ruleOf } from "../support/request/bench.ts";

// Some tests sync the disk several hundred times.
setDefaultTimeout(60_000);

let dir = "";
let opened: RequestStore[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outcall-store-"));
});

afterEach(() => {
  for (const store of opened) store.close();
  opened = [];
  rmSync(dir, { recursive: true, force: true });
});

function open(): RequestStore {
  const store = RequestStore.open(dir);
  if (!store.ok) throw new Error(store.error.message);
  opened.push(store.value);
  return store.value;
}

function reopen(store: RequestStore): RequestStore {
  store.close();
  opened = [];
  return open();
}

function requestOf(number: number, more: Partial<RuleRequest> = {}): RuleRequest {
  return {
    id: `rr-${number.toString(16).padStart(12, "0")}`,
    submittedAt: "2026-11-21T12:00:00.000Z",
    requester: BUILDER,
    submission: ruleOf("true", "allow", "nul \0, 😀, \u2028"),
    description: "nul \0",
    requestedAccess: "",
    suggestedCondition: null,
    ruleFile: null,
    state: { status: "pending" },
    ...more,
  };
}

const REJECTED: StoredState = { status: "rejected", at: "t", by: { uid: 1, name: null }, digest: "d", reason: "no" };

describe("RequestStore", () => {
  test("gives back what was added, after it was opened again, byte for byte", () => {
    const store = open();
    expect(store.add(requestOf(1), "x")).toEqual({ ok: true, value: null });
    expect(reopen(store).find(requestOf(1).id)).toEqual({ ok: true, value: requestOf(1) });
  });

  test("only the daemon can read it and the files next to it", () => {
    open().add(requestOf(1), "x");
    const modes = readdirSync(dir).map((name) => [name, (statSync(join(dir, name)).mode & 0o777).toString(8)]);
    expect(modes.sort()).toEqual([STORE_FILE, `${STORE_FILE}-shm`, `${STORE_FILE}-wal`].map((name) => [name, "600"]));
  });

  test("an id is taken once", () => {
    const store = open();
    store.add(requestOf(1), "x");
    expect(store.add(requestOf(1), "y")).toMatchObject({ ok: false, error: { code: "request.store" } });
  });

  test("changes a request only from the state that is named", () => {
    const store = open();
    store.add(requestOf(1), "x");
    const rejected = requestOf(1, { state: REJECTED });
    expect(store.change(rejected, "approving")).toEqual({ ok: true, value: false });
    expect(store.change(rejected, "pending")).toEqual({ ok: true, value: true });
    expect(store.change(rejected, "pending")).toEqual({ ok: true, value: false });
    expect(reopen(store).find(rejected.id)).toEqual({ ok: true, value: rejected });
  });

  test("finds and counts pending requests, by container", () => {
    const store = open();
    store.add(requestOf(1), "one");
    store.add(requestOf(2, { requester: OTHER }), "one");
    store.add(requestOf(3, { state: REJECTED }), "three");
    store.add(
      requestOf(4, { state: { status: "approving", at: "t", by: { uid: 1, name: null }, digest: "d", file: "f" } }),
      "four",
    );
    const found = [["one", BUILDER], ["one", OTHER], ["three", BUILDER], ["four", BUILDER], ["two", BUILDER]] as const;
    const ids = found.map(([digest, { id }]) => store.findWaiting(id, digest)).map((each) =>
      each.ok && (each.value?.id ?? null)
    );
    expect(ids).toEqual([requestOf(1).id, requestOf(2).id, null, requestOf(4).id, null]);
    expect(store.countWaiting(BUILDER.id)).toEqual({ ok: true, value: { ofContainer: 2, inAll: 3 } });
    expect(store.countWaiting("nobody")).toEqual({ ok: true, value: { ofContainer: 0, inAll: 3 } });
  });

  test("lists the newest, the oldest of them first", () => {
    const store = open();
    for (let number = 0; number <= LIST_LIMIT; number++) store.add(requestOf(number), String(number));
    const listed = store.list(["pending"]);
    const ids = listed.ok ? listed.value.map(({ id }) => id) : [];
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([LIST_LIMIT, requestOf(1).id, requestOf(LIST_LIMIT).id]);
    expect(store.list(["rejected"])).toEqual({ ok: true, value: [] });
  });

  test("request.store: a closed store answers with a problem that says nothing of the host", () => {
    const store = open();
    reopen(store);
    const answers = [
      store.add(requestOf(1), "x"),
      store.find("x"),
      store.findWaiting("x", "y"),
      store.list(["pending"]),
      store.countWaiting("x"),
      store.change(requestOf(1), "pending"),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        ok: false,
        error: { code: "request.store", message: "rule requests are not available" },
      });
    }
  });

  test("a damaged record is an error", () => {
    const store = open();
    store.add(requestOf(1), "x");
    for (const text of ["{", "{}", JSON.stringify({ ...requestOf(1), more: 1 })]) {
      const database = new DatabaseSync(join(dir, STORE_FILE));
      database.prepare("UPDATE requests SET request = ?").run(text);
      database.close();
      expect(store.find(requestOf(1).id)).toMatchObject({ ok: false, error: { code: "request.store" } });
    }
  });
});

describe("RequestStore.open refuses", () => {
  const cases: readonly (readonly [note: string, make: (path: string) => void, message: string])[] = [
    ["a file that is no database", (path) => writeFileSync(path, "x".repeat(5000), { mode: 0o600 }), "cannot open"],
    ["a file that others may read", (path) => {
      writeFileSync(path, "", { mode: 0o600 });
      chmodSync(path, 0o640);
    }, "is not a file of the daemon with mode 0600"],
    ["a link", (path) => symlinkSync("/dev/null", path), "cannot open"],
    ["another layout", (path) => {
      writeFileSync(path, "", { mode: 0o600 });
      const database = new DatabaseSync(path);
      database.exec("PRAGMA user_version = 2");
      database.close();
    }, "is of another version of outcalld (layout 2)"],
  ];
  for (const [note, make, message] of cases) {
    test(note, () => {
      expect(hasStore(dir)).toBe(false);
      make(join(dir, STORE_FILE));
      expect(hasStore(dir)).toBe(true);
      const store = RequestStore.open(dir);
      expect(store).toMatchObject({ ok: false, error: { code: "request.store" } });
      expect(store.ok || store.error.message).toContain(message);
    });
  }
});
