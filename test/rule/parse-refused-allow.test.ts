// The members of allow rules, `egress` and `expires`: which values are refused, with which code, place and message.
import { describe, expect, test } from "bun:test";
import { ALLOW, BLOCK, ENRICH, findingsOf, rule } from "../support/rule/file.ts";

type Refused = readonly [note: string, text: string, ...findings: readonly string[]];

const ADDRESS_FORMS =
  "a network such as 10.1.0.0/16, an address, or an address with port such as 10.0.0.5:5432 or [fd00::5]:5432";

const EGRESS: readonly Refused[] = [
  [
    "another mode",
    rule(...ALLOW, "egress: {mode: direct}"),
    '6:20-6:26 rule.unsupported mode must be the string "proxy", found the string "direct"',
  ],
  [
    "neither mode nor addresses",
    rule(...ALLOW, "egress: {}"),
    '6:13-6:15 rule.unsupported egress has no member | give "mode" or "addresses"',
  ],
  [
    "another member",
    rule(...ALLOW, "egress: {mode: proxy, port: 1}"),
    '6:27-6:31 rule.unsupported unknown member "port" of egress | known are mode, addresses',
  ],
  [
    "a text",
    rule(...ALLOW, "egress: proxy"),
    '6:13-6:18 rule.unsupported egress must be a map, found the string "proxy"',
  ],
  [
    "a block rule",
    rule(...BLOCK, "egress: {mode: proxy}"),
    '6:5-6:11 rule.unsupported a rule of action "block" cannot have the member "egress"',
  ],
  [
    "an enrich rule",
    rule(...ENRICH, "enrich: {script: a.sh}", "egress: {addresses: [10.0.0.1]}"),
    '7:5-7:11 rule.unsupported a rule of action "enrich" cannot have the member "egress"',
  ],
  [
    "addresses that are no list",
    rule(...ALLOW, "egress: {addresses: 10.0.0.1}"),
    '6:25-6:33 rule.schema addresses must be a list that is not empty, found the string "10.0.0.1"',
  ],
  [
    "no address",
    rule(...ALLOW, "egress: {addresses: []}"),
    "6:25-6:27 rule.schema addresses must be a list that is not empty, found a list",
  ],
  [
    "another member beside addresses",
    rule(...ALLOW, "egress: {addresses: [10.0.0.1], ports: [1]}"),
    '6:37-6:42 rule.unsupported unknown member "ports" of egress | known are mode, addresses',
  ],
  [
    "a number as address",
    rule(...ALLOW, "egress: {addresses: [10]}"),
    '6:26-6:28 rule.schema an entry of addresses must be a string, found the number 10 | quote it: "10"',
  ],
  ...[
    ...[
      "10.0.0.256",
      "10.0.0.0/33",
      "10.0.0.1/8",
      "10.0.0",
      "010.0.0.1",
      "example.com",
      "10.0.0.1:0",
      "10.0.0.1:65536",
    ],
    ...["10.0.0.0/8:80", "[fd00::1]", "[fd00::1]:080", "[10.0.0.1]:80", "fd00::1%eth0", "::ffff:10.0.0.1", "", "*"],
  ].map((address): Refused => [
    `address ${address}`,
    rule(...ALLOW, `egress: {addresses: ["${address}"]}`),
    `6:26-6:${
      28 + address.length
    } rule.schema an entry of addresses must be ${ADDRESS_FORMS}, found the string "${address}"`,
  ]),
];

const EXPIRES: readonly Refused[] = [
  [
    "a block rule",
    rule(...BLOCK, "expires: 2026-12-31T18:00:00Z"),
    '6:5-6:12 rule.schema a rule of action "block" cannot have the member "expires"',
  ],
  [
    "an enrich rule",
    rule(...ENRICH, "enrich: {script: a.sh}", "expires: 2026-12-31T18:00:00Z"),
    '7:5-7:12 rule.schema a rule of action "enrich" cannot have the member "expires"',
  ],
  [
    "a number",
    rule(...ALLOW, "expires: 20261231"),
    '6:14-6:22 rule.schema expires must be a string, found the number 20261231 | quote it: expires: "20261231"',
  ],
  ...[
    ...[
      "2026-12-31",
      "2026-12-31T18:00:00",
      "2026-12-31 18:00:00Z",
      "2026-02-30T18:00:00Z",
      "2026-13-01T00:00:00Z",
      "tomorrow",
    ],
    ...[
      "2026-12-31T24:00:00Z",
      "2026-12-31T23:59:60Z",
      "2026-12-31T18:00Z",
      "2026-12-31T18:00:00+0100",
      "0000-01-01T00:00:00Z",
    ],
    ...["2026-12-31T18:00:00.Z", "+2026-12-31T18:00:00Z", "2026-12-31T18:00:00+24:00", "2026-12-31T18:00:00 UTC", ""],
  ].map((time): Refused => [
    `time ${time}`,
    rule(...ALLOW, `expires: "${time}"`),
    `6:14-6:${
      16 + time.length
    } rule.schema expires must be an RFC 3339 time with offset, such as 2026-12-31T18:00:00Z, ` +
    `found the string "${time}"`,
  ]),
];

describe.each([
  { what: "egress", cases: EGRESS },
  { what: "expires", cases: EXPIRES },
])("parseRuleFile reports of $what", ({ cases }) => {
  test.each(cases.map(([note, text, ...findings]) => ({ note, text, findings })))("$note", ({ text, findings }) => {
    expect(findingsOf(text)).toEqual([...findings]);
  });
});
