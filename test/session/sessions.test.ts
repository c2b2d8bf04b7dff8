// Sessions and tokens: one per container instance, valid for that instance only.
import { describe, expect, test } from "bun:test";
import type { Container } from "../../src/container/container.ts";
import { BAD_TOKEN, Sessions, SESSIONS_LIMIT } from "../../src/session/sessions.ts";
import { createTokenKey, deriveToken, sameToken } from "../../src/session/token.ts";

function container(id: string, instance = `${id}:1`): Container {
  return { id, shortId: `ctr-${id}`, name: id, image: "", labels: {}, ownLabels: {}, instance, source: "docker" };
}

function tokenOf(sessions: Sessions, of: Container): string {
  const session = sessions.checkIn(of);
  if (!session.ok) throw new Error(session.error.message);
  return session.value.token;
}

const REFUSED = { ok: false, error: { code: "session.bad-token", message: BAD_TOKEN } };

describe("Sessions", () => {
  test("check-in again gives the same session (EC-004)", () => {
    const sessions = new Sessions();
    expect(tokenOf(sessions, container("a"))).toBe(tokenOf(sessions, container("a")));
    expect(sessions.size).toBe(1);
  });

  test("all of them, the oldest first, each with when it began", () => {
    const times = [30, 10, 20];
    const sessions = new Sessions({ now: () => new Date(times.shift() ?? 0) });
    for (const id of ["c", "a", "b", "c"]) sessions.checkIn(container(id));
    expect(sessions.all.map((session) => [session.container.id, session.since.getTime()]))
      .toEqual([["a", 10], ["b", 20], ["c", 30]]);
    sessions.drop(container("a"));
    expect(sessions.all.map((session) => session.container.id)).toEqual(["b", "c"]);
  });

  test("a token is valid for its container only; using another container's token is misuse, an unknown token is not", () => {
    const sessions = new Sessions();
    const [a, b] = [tokenOf(sessions, container("a")), tokenOf(sessions, container("b"))];
    expect(sessions.find(container("a"), a)).toMatchObject({ ok: true });
    expect(sessions.find(container("a"), b)).toMatchObject(REFUSED);
    expect(sessions.isOthers(container("a"), b)).toBe(true);
    expect(sessions.isOthers(container("a"), a)).toBe(false);
    expect(sessions.isOthers(container("a"), "tok-x")).toBe(false);
  });

  test("no token, an empty one, a longer or shorter one, one without a check-in (EC-005)", () => {
    const sessions = new Sessions();
    expect(sessions.find(container("a"), "tok-x")).toMatchObject(REFUSED);
    const token = tokenOf(sessions, container("a"));
    for (const wrong of [null, "", `${token}x`, token.slice(0, -1), token.toUpperCase()]) {
      expect(sessions.find(container("a"), wrong)).toMatchObject(REFUSED);
    }
  });

  test("a new life of the same container has a new token, and the old one is worth nothing", () => {
    const sessions = new Sessions();
    const old = tokenOf(sessions, container("a", "a:1"));
    expect(sessions.find(container("a", "a:2"), old)).toMatchObject(REFUSED);
    const young = tokenOf(sessions, container("a", "a:2"));
    expect(young).not.toBe(old);
    expect(sessions.find(container("a", "a:2"), old)).toMatchObject(REFUSED);
    expect(sessions.size).toBe(1);
  });

  test("drop ends a life's session and leaves a later one", () => {
    const sessions = new Sessions();
    const token = tokenOf(sessions, container("a", "a:1"));
    sessions.drop(container("a", "a:0"));
    expect(sessions.find(container("a", "a:1"), token)).toMatchObject({ ok: true });
    sessions.drop(container("a", "a:1"));
    expect(sessions.find(container("a", "a:1"), token)).toMatchObject(REFUSED);
    expect(sessions.size).toBe(0);
  });

  test("the limit is taken, one past it is session.full, a dropped one makes room", () => {
    const sessions = new Sessions();
    for (let count = 0; count < SESSIONS_LIMIT; count++) expect(sessions.checkIn(container(`${count}`)).ok).toBe(true);
    expect(sessions.checkIn(container("more"))).toMatchObject({ ok: false, error: { code: "session.full" } });
    expect(sessions.checkIn(container("0")).ok).toBe(true);
    expect(sessions.checkIn(container("0", "another life")).ok).toBe(true);
    sessions.drop(container("1"));
    expect(sessions.checkIn(container("more")).ok).toBe(true);
  });
});

describe("tokens", () => {
  test("are derived from key, container and life, and from nothing that can be moved between them", () => {
    const [key, other] = [createTokenKey(), createTokenKey()];
    const token = deriveToken(key, "a", "b");
    expect(token).toMatch(/^tok-[A-Za-z0-9_-]{43}$/);
    expect(deriveToken(key, "a", "b")).toBe(token);
    for (const each of [deriveToken(other, "a", "b"), deriveToken(key, "ab", ""), deriveToken(key, "", "ab")]) {
      expect(each).not.toBe(token);
    }
  });

  test("sameToken compares whole texts", () => {
    expect(sameToken("tok-a", "tok-a")).toBe(true);
    for (const given of ["", "tok-", "tok-b", "tok-aa", "TOK-A", "tok-\u0430"]) {
      expect(sameToken(given, "tok-a")).toBe(false);
    }
  });
});
