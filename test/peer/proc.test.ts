import { describe, expect, test } from "bun:test";
import {
  parseCgroup,
  parseFdinfoPid,
  parseNamespaceLink,
  parseNamespacePids,
  parseStat,
  PROC_FILE_BYTES,
} from "../../src/peer/proc.ts";
import { FUZZ_SEED, fuzzTexts } from "../support/container/fuzz.ts";

const TAIL = "1 9161 9161 0 -1 4194304 97 0 0 0 0 0 0 0 20 0 1 0 164750 3133440 411 18446744073709551615 1 1 0 0 0\n";

describe("parseStat", () => {
  const good: readonly (readonly [note: string, text: string, pid: number, state: string])[] = [
    ["a plain name", `9161 (sleep) S ${TAIL}`, 9161, "S"],
    ["a name with spaces", `7 (tmux: server) R ${TAIL}`, 7, "R"],
    ["a name that imitates the end of a name", `7 (x) Z 1 1 1) S ${TAIL}`, 7, "S"],
    ["a name of parentheses", `7 ()))((() S ${TAIL}`, 7, "S"],
    ["a name with a line end", `7 (a\n8 (b) Z) S ${TAIL}`, 7, "S"],
    ["a name with bytes that are no UTF-8", `7 (\xff\xfe) S ${TAIL}`, 7, "S"],
    ["an empty name", `7 () S ${TAIL}`, 7, "S"],
    ["a zombie", `7 (x) Z ${TAIL}`, 7, "Z"],
  ];
  test.each(good)("reads %s", (_note, text, pid, state) => {
    expect(parseStat(text)).toEqual({ ok: true, value: { pid, state, parent: 1, startTime: 164750 } });
  });

  const bad: readonly (readonly [note: string, text: string])[] = [
    ["nothing", ""],
    ["no name", `7 S ${TAIL}`],
    ["no end of the name", `7 (sleep S ${TAIL}`],
    ["a pid that is no number", `x (sleep) S ${TAIL}`],
    ["pid 0", `0 (sleep) S ${TAIL}`],
    ["a negative pid", `-7 (sleep) S ${TAIL}`],
    ["no state", "7 (sleep) "],
    ["a state of two letters", `7 (sleep) SS ${TAIL}`],
    ["too few fields", "7 (sleep) S 1 2 3\n"],
    ["a start time that is no number", `7 (sleep) S ${TAIL.replace("164750", "x")}`],
    ["a start time beyond exact numbers", `7 (sleep) S ${TAIL.replace("164750", "9007199254740992")}`],
    ["a negative start time", `7 (sleep) S ${TAIL.replace("164750", "-1")}`],
  ];
  test.each(bad)("refuses %s", (_note, text) => expect(parseStat(text).ok).toBe(false));

  test("holds a start time at the largest exact number", () => {
    const parsed = parseStat(`7 (sleep) S ${TAIL.replace("164750", "9007199254740991")}`);
    expect(parsed.ok && parsed.value.startTime).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("parseCgroup", () => {
  test("reads versions 1 and 2 side by side", () => {
    expect(parseCgroup("9:name=systemd:/a\n3:cpu,cpuacct:/docker/x\n0::/\n")).toEqual({
      ok: true,
      value: [
        { hierarchy: 9, controllers: ["name=systemd"], path: "/a" },
        { hierarchy: 3, controllers: ["cpu", "cpuacct"], path: "/docker/x" },
        { hierarchy: 0, controllers: [], path: "/" },
      ],
    });
  });

  test("keeps colons of a path, and bytes that are no UTF-8 apart", () => {
    const parsed = parseCgroup("1:cpu:/a.slice:docker:b\n2:memory:/\xff\n3:pids:/\xfe\n");
    expect(parsed.ok && parsed.value.map((line) => line.path)).toEqual(["/a.slice:docker:b", "/\xff", "/\xfe"]);
  });

  test("gives no lines for a process without cgroups", () => expect(parseCgroup("")).toEqual({ ok: true, value: [] }));

  const bad: readonly (readonly [note: string, text: string])[] = [
    ["a line without a path", "0::\n"],
    ["a path that is not absolute", "0::docker/x\n"],
    ["a line without colons", "docker\n"],
    ["a hierarchy that is no number", "x::/\n"],
    ["the same hierarchy twice", "0::/a\n0::/b\n"],
    ["one bad line among good ones", "1:cpu:/\nbad\n"],
  ];
  test.each(bad)("refuses %s", (_note, text) => expect(parseCgroup(text).ok).toBe(false));

  test("takes a list of the greatest length and refuses one character more", () => {
    const line = "0::/";
    expect(parseCgroup(line.padEnd(PROC_FILE_BYTES, "a")).ok).toBe(true);
    expect(parseCgroup(line.padEnd(PROC_FILE_BYTES + 1, "a")).ok).toBe(false);
  });
});

describe("parseNamespacePids", () => {
  const good: readonly (readonly [note: string, text: string, pids: readonly number[]])[] = [
    ["one namespace", "Name:\tx\nNSpid:\t5509\n", [5509]],
    ["two namespaces", "Name:\tx\nNSpid:\t5509\t1\nNSpgid:\t1\n", [5509, 1]],
    ["a name that imitates the line, as the kernel escapes it", "Name:\tx\\nNSpid:\\t1\nNSpid:\t5509\t1\n", [5509, 1]],
  ];
  test.each(good)(
    "reads %s",
    (_note, text, pids) => expect(parseNamespacePids(text)).toEqual({ ok: true, value: pids }),
  );

  const bad: readonly (readonly [note: string, text: string])[] = [
    ["nothing", ""],
    ["no such line", "Name:\tx\nNSpgid:\t1\n"],
    ["two such lines", "Name:\tx\nNSpid:\t1\nNSpid:\t5509\t1\n"],
    ["an empty line", "NSpid:\t\n"],
    ["a pid that is no number", "NSpid:\t1\tx\n"],
  ];
  test.each(bad)("refuses %s", (_note, text) => expect(parseNamespacePids(text).ok).toBe(false));
});

describe("parseFdinfoPid", () => {
  const cases: readonly (readonly [note: string, text: string, pid: number | undefined])[] = [
    ["a running process", "pos:\t0\nflags:\t02000002\nmnt_id:\t15\nino:\t1\nPid:\t42\nNSpid:\t42\n", 42],
    ["a reaped process", "pos:\t0\nPid:\t-1\nNSpid:\t-1\n", -1],
    ["a process of another tree", "Pid:\t0\n", 0],
    ["a descriptor of something else", "pos:\t0\nflags:\t02\n", undefined],
    ["another negative number", "Pid:\t-2\n", undefined],
    ["no number", "Pid:\t4 2\n", undefined],
  ];
  test.each(cases)("reads %s", (_note, text, pid) => {
    const parsed = parseFdinfoPid(text);
    expect(parsed.ok ? parsed.value : undefined).toBe(pid);
  });
});

describe("parseNamespaceLink", () => {
  const cases: readonly (readonly [note: string, link: string, inode: number | undefined])[] = [
    ["a link", "pid:[4026531836]", 4026531836],
    ["a link of another kind", "user:[4026531837]", undefined],
    ["inode 0", "pid:[0]", undefined],
    ["a path", "/proc/1/ns/pid", undefined],
    ["a tail", "pid:[1] (deleted)", undefined],
  ];
  test.each(cases)("reads %s", (_note, link, inode) => {
    const parsed = parseNamespaceLink("pid", link);
    expect(parsed.ok ? parsed.value : undefined).toBe(inode);
  });
});

test(`parsers of /proc give a value or a problem for any text (seed ${FUZZ_SEED})`, () => {
  const samples = [`7 (x) S ${TAIL}`, "9:name=systemd:/a\n0::/\n", "Name:\tx\nNSpid:\t5\t1\n", "Pid:\t-1\n", "pid:[1]"];
  fuzzTexts(samples, (text) => {
    for (const parse of [parseStat, parseCgroup, parseNamespacePids, parseFdinfoPid]) {
      expect(typeof parse(text).ok).toBe("boolean");
    }
    expect(typeof parseNamespaceLink("pid", text).ok).toBe("boolean");
  });
});
