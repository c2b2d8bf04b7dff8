import { describe, expect, test } from "bun:test";
import { canonicalHost } from "../../src/action/canonical-host.ts";
import { parseNetworkTarget } from "../../src/action/network-target.ts";
import { CASES, Random, SEED } from "./random.ts";

// Few random texts are valid hosts, and each is checked quickly.
const ROUNDS = Math.max(10_000, CASES);

// P3: spellings of a host that an agent may use to be judged as another host.
const SPELLINGS: readonly (readonly [note: string, canonical: string, spellings: readonly string[]])[] = [
  ["loopback", "127.0.0.1", [
    ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.1", "0177.0.0.01", "017700000001"],
    ...["127.0.0.1.", "::ffff:127.0.0.1", "[::FFFF:7f00:1]", "0:0:0:0:0:ffff:127.0.0.1", "\uff11\uff12\uff17.1"],
    "127\u30020\uff0e0\uff611",
  ]],
  ["metadata service", "169.254.169.254", ["169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376"]],
  ["a name", "github.com", [
    ...["github.com", "GitHub.Com", "github.com.", "github\u3002com", "github\uff0ecom\uff61", "\u24d6ithub.com"],
    ...["git\u200bhub.com", "g\u2060ithub.com", "\uff27\uff29\uff34\uff28\uff35\uff22.com"],
  ]],
  ["IPv6", "fd00:ec2::254", ["fd00:ec2::254", "[FD00:0EC2::0254]", "fd00:ec2:0:0:0:0:0:254", "[fd00:ec2::0.0.2.84]"]],
];

describe("canonicalHost gives one spelling", () => {
  for (const [note, canonical, spellings] of SPELLINGS) {
    for (const spelling of spellings) {
      test(`${note}: ${JSON.stringify(spelling)}`, () => {
        const result = canonicalHost(spelling);
        expect(result.ok ? result.value.hostname : result.error.message).toBe(canonical);
      });
    }
  }
});

const PIECES = [
  ...[
    "a",
    "b.",
    "Z",
    "0",
    "1",
    "7",
    "9",
    ".",
    "..",
    "-",
    "_",
    "xn--",
    "0x",
    "::",
    ":",
    "ffff:",
    "[",
    "]",
    "com",
    "com.",
  ],
  ...[
    "\u3002",
    "\uff0e",
    "\uff61",
    "ß",
    "\u1e9e",
    "\u0130",
    "K",
    "\u00ad",
    "\u200c",
    "\u200d",
    "\u0627",
    "\u05d0",
    "é",
  ],
  ...[
    "e\u0301",
    "\u4e00",
    "\u{1f4a9}",
    "\uff05",
    "\uff0f",
    "\uff20",
    "\u2488",
    "\u00bd",
    "%",
    "@",
    "/",
    "\\",
    "?",
    "#",
  ],
  ...[" ", "\t", "\0", "\ud800", "*", "'", "255", "256", "4294967295", "xn--bcher-kva", "xn--4gq", "\u0338", "="],
];

test("canonicalHost is idempotent, and what it gives is ASCII of bounded length", () => {
  const random = new Random(SEED);
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = random.text(PIECES, 6);
    const first = canonicalHost(text);
    if (!first.ok) continue;
    accepted++;
    const about = `seed ${SEED}, round ${round}: ${JSON.stringify(text)}`;
    expect(canonicalHost(first.value.hostname), about).toEqual(first);
    expect(first.value.hostname, about).toMatch(/^[a-z0-9._:-]{1,253}$/);
    expect(first.value.hostname, about).not.toMatch(/\.\.|^\.|\.$/);
    expect(first.value.ip ?? first.value.hostname, about).toBe(first.value.hostname);
  }
  expect(accepted).toBeGreaterThan(0);
});

// The host that rules see must be the host that a client with a WHATWG URL parser connects to.
test("parseNetworkTarget agrees with the WHATWG parser on every URL that it accepts", () => {
  const random = new Random(SEED);
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = random.pick(["http://", "https://", "wss://", "HTTP://"]) + random.text(PIECES, 5) +
      random.pick(["", ":80", ":443", ":0080", ":", ":x"]) +
      random.pick(["", "/", "/a/../b", "?@x", "#@x", "\\x", "@x"]);
    const target = parseNetworkTarget(text);
    if (!target.ok) continue;
    accepted++;
    const about = `seed ${SEED}, round ${round}: ${JSON.stringify(text)}`;
    const url = new URL(text);
    const theirs = canonicalHost(url.hostname);
    expect(theirs, about).toEqual({ ok: true, value: target.value.host });
    expect(target.value.path, about).toBe(url.pathname);
    const port = url.port === "" ? url.protocol === "http:" ? 80 : 443 : Number(url.port);
    expect(target.value.port, about).toBe(port);
    expect(url.username + url.password, about).toBe("");
  }
  expect(accepted).toBeGreaterThan(0);
});
