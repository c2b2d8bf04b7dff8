// The digest of a rule set changes exactly when its meaning changes.
import { describe, expect, test } from "bun:test";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";

type Files = Readonly<Record<string, string>>;

function digestOf(files: Files): string {
  const { set, findings } = loadRuleFiles(Object.entries(files).map(([name, text]) => ({ name, text })));
  if (set === null) throw new Error(findings.map(({ message }) => message).join("\n"));
  return set.digest;
}

const TEXT = `version: "1"
definitions:
  gh: network.hostname == "github.com"
rules:
  - {id: a, condition: $gh && network.port == 443, action: allow, reason: why}
  - {id: b, condition: 'dns.query == "x"', action: block, log: true}
  - {id: c, condition: 'dns.query == "y"', action: enrich, enrich: {script: s.sh}}
`;

const BASE = digestOf({ "a.yaml": TEXT });

const edit = (from: string, to: string): Files => {
  if (!TEXT.includes(from)) throw new Error(`nothing to edit: ${from}`);
  return { "a.yaml": TEXT.replace(from, to) };
};

test("a digest is SHA-256 in hexadecimal, of any set", () => {
  for (const files of [{ "a.yaml": TEXT }, {}, { "a.yaml": 'version: "1"\n' }]) {
    expect(digestOf(files)).toMatch(/^[0-9a-f]{64}$/);
  }
});

describe("the same digest", () => {
  const cases: readonly (readonly [note: string, files: Files])[] = [
    ["a comment of YAML", edit("rules:", "# all of them\nrules: # here")],
    ["a comment of CEL", edit("$gh && network.port == 443", '"$gh && network.port == 443 // secure"')],
    ["white space of YAML", edit("rules:\n", "rules:\n\n\n")],
    ["white space of CEL", edit("$gh && network.port == 443", "'$gh&&network.port  ==443'")],
    ["another style of YAML", edit('"github.com"', "'github.com'")],
    ["another quote of CEL", edit(`'dns.query == "x"'`, `"dns.query == 'x'"`)],
    ["parentheses that change nothing", edit("$gh && network.port == 443", "($gh) && (network.port == (443))")],
    ["a description", edit("action: allow", "action: allow, description: the API")],
    ["a definition of another name", { "a.yaml": TEXT.replace("gh:", "github:").replace("$gh", "$github") }],
    [
      "a definition put in",
      edit("$gh && network.port == 443", `'network.hostname == "github.com" && network.port == 443'`),
    ],
    ["a definition that is not used", edit("definitions:", "definitions:\n  unused: 'true'")],
    ["the default priority", edit("action: allow", "action: allow, priority: 100")],
    ["the default of log", edit("action: allow", "action: allow, log: false")],
    ["the default time of a hook", edit("{script: s.sh}", "{script: s.sh, timeout_ms: 5000}")],
    [
      "the order of members",
      edit("{id: a, condition: $gh && network.port == 443", "{condition: $gh && network.port == 443, id: a"),
    ],
    ["a file without rules", { "a.yaml": TEXT, "b.yaml": 'version: "1"\n' }],
  ];
  for (const [note, files] of cases) test(note, () => expect(digestOf(files)).toBe(BASE));
});

test("the same digest: the same end with another offset, and the order of the members of egress", () => {
  const digest = (more: string) => digestOf(edit("action: allow", `action: allow, ${more}`));
  expect(digest("expires: 2026-12-31T18:00:00Z")).toBe(digest("expires: 2026-12-31T19:00:00.0+01:00"));
  expect(digest("egress: {mode: proxy, addresses: [10.0.0.1]}")).toBe(
    digest("egress: {addresses: [10.0.0.1], mode: proxy}"),
  );
});

describe("another digest", () => {
  const moved = TEXT.split("\n");
  const [a = "", b = ""] = [moved[4], moved[5]];
  const cases: readonly (readonly [note: string, files: Files])[] = [
    ["an id", edit("id: a", "id: a2")],
    ["what a condition says", edit("443", "80")],
    ["what a definition says", edit("github.com", "gitlab.com")],
    ["an action", edit("action: allow", "action: block")],
    ["a priority", edit("action: allow", "action: allow, priority: 99")],
    ["a reason", edit("reason: why", "reason: because")],
    ["no reason", edit(", reason: why", "")],
    ["log", edit("log: true", "log: false")],
    ["addresses of egress", edit("action: allow", "action: allow, egress: {addresses: [10.0.0.1]}")],
    ["other addresses", edit("action: allow", "action: allow, egress: {addresses: [10.0.0.2]}")],
    ["mode and addresses", edit("action: allow", "action: allow, egress: {mode: proxy, addresses: [10.0.0.1]}")],
    ["an end", edit("action: allow", "action: allow, expires: 2026-12-31T18:00:00Z")],
    ["another end", edit("action: allow", "action: allow, expires: 2026-12-31T18:00:01Z")],
    ["egress", edit("action: allow", "action: allow, egress: {mode: proxy}")],
    ["a hook", edit("s.sh", "t.sh")],
    ["the time of a hook", edit("{script: s.sh}", "{script: s.sh, timeout_ms: 4999}")],
    ["the name of the file", { "b.yaml": TEXT }],
    ["the order of two rules", { "a.yaml": TEXT.replace(`${a}\n${b}`, `${b}\n${a}`) }],
    ["a rule less", { "a.yaml": TEXT.replace(`${b}\n`, "") }],
    ["the order of operands", edit("$gh && network.port == 443", "network.port == 443 && $gh")],
    ["another type of number", edit("network.port == 443", "network.port == int(443u)")],
    ["a character that looks the same", edit('"x"', '"х"')],
  ];
  for (const [note, files] of cases) test(note, () => expect(digestOf(files)).not.toBe(BASE));

  test("of each of them", () => {
    const digests = cases.map(([, files]) => digestOf(files));
    expect(new Set(digests).size).toBe(cases.length);
  });
});
