// Allow rules that match more than they seem to.
import { describe, expect, test } from "bun:test";
import { warningsIn } from "../support/rule/findings.ts";

function loose(condition: string, action = "allow"): readonly string[] {
  const text = `version: "1"\nrules:\n  - {id: r, action: ${action}, condition: ${JSON.stringify(condition)}}\n`;
  return warningsIn(text, "rule.loose").map((each) =>
    each.replace(/^a\.yaml:3:\S+ warning rule\.loose \[r\] rule "r": /, "")
  );
}

const NAME =
  "allows by run.tool, the name alone, so any program of that name is allowed | test the whole path, as in " +
  'run.path == "/usr/bin/git"';
const AROUND = 'begin and end the pattern with ^ and $, around all alternatives: "^(a|b)$"';
const noStart = (path: string) => `allows by a pattern without ^, which matches anywhere in ${path} | ${AROUND}`;
const noEnd = (path: string) => `allows by a pattern without $, so anything may follow in ${path} | ${AROUND}`;
const BARE_DOT =
  'allows by a pattern whose dot stands for any character | write \\\\. for a dot: "^api\\\\.example\\\\.com$"';

describe("A4: rule.loose", () => {
  const cases: readonly (readonly [condition: string, ...found: string[]])[] = [
    ['run.tool == "git"', NAME],
    ['action_type == "tool_exec" && "git" == run.tool && run.args[0] == "status"', NAME],
    ['run.tool in ["git", "ls"] || run.tool == "cat"', NAME],
    ['run.tool == "git" && run.path == "/usr/bin/git"'],
    ['run.tool == "git" && target.startsWith("/usr/bin/")'],
    ['run.tool == "file" && action_type == "file_access"'],
    ['run.tool == "git" || network.hostname == "a.example"'],
    ['run.tool != "git" && run.path == "/bin/ls"'],

    [
      'network.hostname.contains("github")',
      'allows every network.hostname that contains "github" | use network.hostname == or network.hostname.endsWith(".github")',
    ],
    [
      'run.path.contains("/bin/")',
      'allows every run.path that contains "/bin/" | use run.path == or run.path.startsWith(...)',
    ],
    [
      'target.contains("github.com")',
      'allows every target that contains "github.com" | use target == or target.startsWith(...)',
    ],
    [
      'http.path.contains("/api/")',
      'allows every http.path that contains "/api/" | use http.path == or http.path.startsWith(...)',
    ],

    [
      'network.hostname.endsWith("github.com")',
      'allows every host that ends with "github.com", such as "evilgithub.com" | use network.hostname == "github.com" || ' +
      'network.hostname.endsWith(".github.com")',
    ],
    ['network.hostname.endsWith(".github.com") || dns.query.endsWith(".example")'],
    [
      'run.path.endsWith("/git")',
      'allows every run.path that ends with "/git" | name the whole path, as in run.path == "/usr/bin/git"',
    ],
    ['target.endsWith("/git")', 'allows every target that ends with "/git" | name all of target'],
    ['run.tool.startsWith("git-")', NAME],
    ['run.tool.matches("^git$") && run.args == ["status"]', NAME],
    ['run.tool.startsWith("git-") && run.path.startsWith("/usr/bin/")'],
    ['http.path.endsWith(".json")'],

    [
      'network.hostname.startsWith("api.")',
      'allows every host that begins with "api.", such as "api.evil.example" | test the end of the host: network.hostname == or ' +
      'network.hostname.endsWith(".example.com")',
    ],
    ['network.hostname.startsWith("api-") && network.hostname.endsWith(".github.com")'],
    ['network.hostname.endsWith("github.com") && network.hostname in ["a.github.com", "github.com"]'],
    [
      'run.path.startsWith("/workspace")',
      'allows every path that begins with "/workspace", such as "/workspace-other" | end the directory with a slash: "/workspace/"',
    ],
    ['run.path.startsWith("/workspace/")'],
    ['target.startsWith("/workspace/") && action_type == "file_access"'],
    [
      'target.startsWith("https://github.com")',
      'allows every target that begins with "https://github.com", such as "https://github.com.evil.example" | end the host with a ' +
      'slash: "https://github.com/"',
    ],
    ['target.startsWith("https://") || target.startsWith("https://github.com/a")'],
    ['http.path.startsWith("/api/v3")'],
    [
      'docker.image.startsWith("alpine")',
      'allows every image that begins with "alpine", such as "alpine-other" | end the name with "/", ":" or "@"',
    ],
    ['docker.image.startsWith("alpine:")'],

    ['network.hostname.matches("github.com")', noStart("network.hostname")],
    ['network.hostname.matches("^github\\\\.com")', noEnd("network.hostname")],
    ['matches(network.hostname, "github\\\\.com$")', noStart("network.hostname")],
    ['network.hostname.matches("^a\\\\.example|b\\\\.example$")', noStart("network.hostname")],
    ['network.hostname.matches("^a\\\\.example$|^b\\\\.example")', noEnd("network.hostname")],
    ['network.hostname.matches("^(a|b)\\\\.example$")'],
    ['network.hostname.matches("\\\\.github\\\\.com$") || network.hostname.matches("[.]github[.]com$")'],
    ['network.hostname.matches("^[^$]api$")'],
    ['network.hostname.matches("[$^]")', noStart("network.hostname")],
    ['network.hostname.matches("^api.github.com$")', BARE_DOT],
    ['network.hostname.matches("^[a-z.]+.*\\\\.com$") || network.hostname.matches("^a.+b$")'],
    ['run.path.matches("/usr/bin/git$")', noStart("run.path")],
    ['run.path.matches("^/usr/bin/git")', noEnd("run.path")],
    ['run.path.matches("^/usr/bin/git$") || run.path.matches("^/usr/bin/") || run.path.matches("^/opt/.*")'],
    ['http.path.matches("^/api/v3") && http.method == "GET"'],
    ['http.path.matches("/api/")', noStart("http.path")],
    ['docker.image.matches("^alpine:") || docker.image.matches("^(a|b)@sha256:[0-9a-f]{64}$")'],

    // Inside a negation, an open pattern makes the rule narrower; otherwise the effect is not certain.
    ['network.port == 443 && !network.hostname.contains("evil")'],
    ['!(network.hostname.contains("evil") || network.hostname.endsWith("bad.example"))'],
    [
      '!(!network.hostname.contains("evil"))',
      'allows every network.hostname that contains "evil" | use network.hostname == or network.hostname.endsWith(".evil")',
    ],
    ['network.hostname.contains("evil") == false'],
    ['network.hostname.contains("evil") ? false : network.port == 443'],
    ['run.args.all(a, a.contains("x")) && run.path == "/bin/ls"'],
  ];
  for (const [condition, ...found] of cases) {
    test(condition, () => {
      expect(loose(condition)).toEqual(found);
      expect(loose(condition, "block")).toEqual([]);
    });
  }

  test("a warning about the name only is placed at the test of the name", () => {
    const text = 'version: "1"\nrules:\n  - {id: r, action: allow, condition: \'run.parsed && run.tool == "git"\'}\n';
    expect(warningsIn(text, "rule.loose").map((each) => each.replace(/ .*/, ""))).toEqual(["a.yaml:3:54-3:71"]);
  });
});

test("A4: rule.egress-unused is reported for a rule with egress, in a set that loads", () => {
  const text =
    'version: "1"\nrules:\n  - {id: r, action: allow, condition: network.port == 443, egress: {mode: proxy}}\n';
  expect(warningsIn(text, "rule.egress-unused")).toEqual([
    'a.yaml:3:10-3:11 warning rule.egress-unused [r] rule "r": egress has no effect, because this version of the daemon has no ' +
    "gateway | remove egress, or keep it for a version with a gateway; the rule decides the same",
  ]);
});
