// Comparisons with constants that a member of a request never has.
import { describe, expect, test } from "bun:test";
import { warningsIn } from "../support/rule/findings.ts";

/** The text of `rule.never` for a condition, without its common parts. */
function never(condition: string, action = "block"): readonly string[] {
  const text = `version: "1"\nrules:\n  - {id: r, action: ${action}, condition: ${JSON.stringify(condition)}}\n`;
  return warningsIn(text, "rule.never").map((each) =>
    each.replace(/^a\.yaml:3:\S+ warning rule\.never \[r\] rule "r": /, "")
  );
}

const TYPES = "the action types are tool_exec, network_call, file_access, shell_exec, dns_query, docker_api";

describe("A4: rule.never", () => {
  const cases: readonly (readonly [condition: string, ...found: string[]])[] = [
    [
      'network.ip == "::ffff:1.2.3.4" || network.ip == "2001:db8:0::1" || network.ip == "::1"',
      'network.ip is never "::ffff:1.2.3.4": an IPv4-mapped address is written as its IPv4 address',
      'network.ip is never "2001:db8:0::1": addresses are in their shortest form',
    ],
    ['network.ip == "010.0.0.1"', 'network.ip is never "010.0.0.1": addresses are in their shortest form'],
    [
      'network.hostname == "::ffff:1.2.3.4"',
      'network.hostname is never "::ffff:1.2.3.4": an IPv4-mapped address is written as its IPv4 address',
    ],
    ['http.path == "/a/../b"', 'http.path is never "/a/../b": the path has no . and no ..'],
    ['http.path.startsWith("/a/./")', 'http.path never begins with "/a/./": the path has no . and no ..'],
    [
      'http.path.contains("\\\\")',
      'http.path never contains "\\": a request whose path has a backslash is refused',
    ],
    ['http.path.startsWith("/..well-known") || http.path == "/.well-known/x" || http.path.startsWith("/a/..")'],
    ['action_type == "tool_exce"', `action_type is never "tool_exce": ${TYPES} | did you mean "tool_exec"?`],
    ['"exec" == action_type', `action_type is never "exec": ${TYPES} | did you mean "tool_exec"?`],
    [
      'action_type != "tool"',
      `action_type is never "tool", so this is always true: ${TYPES} | did you mean "tool_exec"?`,
    ],
    [
      '!(action_type in ["tool_exec", "TOOL_EXEC"])',
      `action_type is never "TOOL_EXEC": ${TYPES} | did you mean "tool_exec"?`,
    ],
    ['action_type.endsWith("_run")', `action_type never ends with "_run": ${TYPES}`],
    ['http.method == "get"', 'http.method is never "get": methods are in capitals | write "GET"'],
    [
      'http.method in ["GET", "head", "Post"]',
      'http.method is never "head": methods are in capitals | write "HEAD"',
      'http.method is never "Post": methods are in capitals | write "POST"',
    ],
    ['http.method.startsWith("p")', 'http.method never begins with "p": methods are in capitals | write "P"'],
    ['http.method == "GET "', 'http.method is never "GET ": methods are words such as GET, HEAD, POST'],
    [
      'network.hostname == "Example.COM"',
      'network.hostname is never "Example.COM": hosts are in lower case | write "example.com"',
    ],
    ['http.host == "a.example."', 'http.host is never "a.example.": a host has no trailing dot | write "a.example"'],
    [
      'network.hostname.endsWith(".example.")',
      'network.hostname never ends with ".example.": a host has no trailing dot | write ".example"',
    ],
    [
      'network.hostname == "a.example:443"',
      'network.hostname is never "a.example:443": a host has no port | write "a.example", and test network.port',
    ],
    [
      'network.hostname == "https://a.example/x"',
      'network.hostname is never "https://a.example/x": a host has no scheme | write "a.example"',
    ],
    ['network.hostname.startsWith("https://")', 'network.hostname never begins with "https://": a host has no scheme'],
    [
      'network.hostname == "a.example/x"',
      'network.hostname is never "a.example/x": a host has no path | write "a.example"',
    ],
    [
      'network.hostname == "*.example.com"',
      'network.hostname is never "*.example.com": a host has no wildcard | write .endsWith(".example.com")',
    ],
    [
      'network.hostname == "b\u00fccher.example"',
      'network.hostname is never "b\u00fccher.example": a host is ASCII without white space | write "xn--bcher-kva.example"',
    ],
    ['dns.query == "A.example"', 'dns.query is never "A.example": hosts are in lower case | write "a.example"'],
    [
      'network.hostname == "a!b"',
      'network.hostname is never "a!b": a host is made of letters, digits, dots, hyphens and underscores',
    ],
    [
      'network.ip == "10.0.0.0/8"',
      'network.ip is never "10.0.0.0/8": it is one address, not a range | write cidr("10.0.0.0/8").containsIP(network.ip)',
    ],
    ['network.ip == "FD00::1"', 'network.ip is never "FD00::1": addresses are in lower case | write "fd00::1"'],
    [
      'network.ip == "a.example"',
      'network.ip is never "a.example": it is an address, not a name | test network.hostname',
    ],
    [
      'http.headers["X-Foo"] == "a"',
      'http.headers never has the key "X-Foo": names of headers are in lower case | write "x-foo"',
    ],
    [
      '"X-Foo" in http.headers',
      'http.headers never has the key "X-Foo": names of headers are in lower case | write "x-foo"',
    ],
    [
      "has(http.headers.Host)",
      'http.headers never has the key "Host": names of headers are in lower case | write "host"',
    ],
    ['network.protocol == "TCP"', 'network.protocol is never "TCP": the protocols are tcp, udp | did you mean "tcp"?'],
    [
      'network.protocol == "https"',
      'network.protocol is never "https": the protocols are tcp, udp | test network.port == 443',
    ],
    ["network.port == 70000", "network.port is never 70000: ports go from 0 to 65535"],
    [
      "network.port in [65535, 65536, -1]",
      "network.port is never 65536: ports go from 0 to 65535",
      "network.port is never -1: ports go from 0 to 65535",
    ],
    ["http.body_size == -1", "http.body_size is never -1: it is never negative"],
    [
      'dns.record_type in ["A", "aaaa"]',
      'dns.record_type is never "aaaa": record types are in capitals | write "AAAA"',
    ],
    [
      'run.tool == "/usr/bin/git"',
      'run.tool is never "/usr/bin/git": run.tool is the last part of the program\'s path | test run.path',
    ],
    [
      'run.path == "/usr/bin/../bin/git"',
      'run.path is never "/usr/bin/../bin/git": paths have no empty part, no . and no .. | write "/usr/bin/git"',
    ],
    [
      'run.path == "/usr//bin/git"',
      'run.path is never "/usr//bin/git": paths have no empty part, no . and no .. | write "/usr/bin/git"',
    ],
    [
      'run.path == "/usr/bin/"',
      'run.path is never "/usr/bin/": paths have no empty part, no . and no .. | write "/usr/bin"',
    ],
    [
      'run.path.startsWith("/opt/./x/")',
      'run.path never begins with "/opt/./x/": paths have no empty part, no . and no .. | write "/opt/x/"',
    ],
    ['run.path == "~/bin/x"', 'run.path is never "~/bin/x": paths are absolute, and nothing expands a tilde'],
    [
      'target == "HTTPS://a.Example/X"',
      'target is never "HTTPS://a.Example/X": scheme and host of a URL are in lower case | write "https://a.example/X"',
    ],
    [
      'target == "https://a.example/x#y"',
      'target is never "https://a.example/x#y": a URL has no fragment | write "https://a.example/x"',
    ],
    [
      'action_type == "file_access" && target == "/workspace/../etc/shadow"',
      'target is never "/workspace/../etc/shadow": paths have no empty part, no . and no .. | write "/etc/shadow"',
    ],
    [
      'envelope.outcome == "passed"',
      'envelope.outcome is never "passed": the outcomes are verified, failed, vacuous, unverified, none | did you mean "verified"?',
    ],
    ['http.path == "/a?b=c"', 'http.path is never "/a?b=c": the path has no query and no fragment | write "/a"'],
    ['http.path.contains("?")', 'http.path never contains "?": the path has no query and no fragment'],
    ['http.path == "api"', 'http.path is never "api": a path begins with "/" | write "/api"'],
    ['http.path.startsWith("api/")', 'http.path never begins with "api/": a path begins with "/" | write "/api/"'],
    ['http.path == "/a b"', 'http.path is never "/a b": the path of a URL has no white space'],
    [
      '"force" in run.flags',
      'run.flags never has the element "force": flags begin with a dash | write "--force", or test run.args',
    ],

    // Values that a request can have, or cases that are not certain.
    ['action_type in ["tool_exec", "shell_exec", "network_call", "file_access", "dns_query", "docker_api"]'],
    ['http.method == "" || network.hostname == "" || http.path == "" || run.tool == ""'],
    ["network.port == 0 || network.port == 65535 || http.body_size == 0"],
    ['http.method in ["GET", "PROPFIND", "M-SEARCH"]'],
    ['network.hostname in ["a.example", "xn--bcher-kva.example", "10.0.0.1", "::1", "_dmarc.a.example"]'],
    ['network.hostname.contains("-") || network.hostname.startsWith("api.") || network.hostname.endsWith("x")'],
    ['network.ip in ["10.0.0.1", "fd00::1"]'],
    ['http.headers["x-foo"] == "A" || http.headers[http.host] == "B"'],
    ['http.path in ["/", "*", "/a/b"] || http.path.endsWith(".json") || http.path.contains("x")'],
    ['run.path in ["/usr/bin/git", "git", "sh"] || run.path.endsWith("/") || run.path.startsWith("/opt/x/")'],
    ['target == "/bin/../bin/ls" || target == "a.example:443" || target == "ls /tmp/"'],
    ['envelope.outcome in ["verified", "failed", "vacuous", "unverified", "none"]'],
    ['run.flags.exists(f, f == "force") || "-f" in run.flags || "push" in run.args'],
    ['http.method.lowerAscii() == "get"'],
    ['["get"].exists(target, target == "HTTPS://A/")'],
    ['metadata.protocol == "TCP"'],
  ];
  for (const [condition, ...found] of cases) {
    test(condition, () => {
      for (const action of ["block", "allow"]) expect(never(condition, action)).toEqual(found);
    });
  }

  test("stands at the constant", () => {
    const text = 'version: "1"\nrules:\n  - {id: r, action: block, condition: \'http.method in ["GET", "put"]\'}\n';
    expect(warningsIn(text, "rule.never").map((each) => each.replace(/ .*/, ""))).toEqual(["a.yaml:3:63-3:68"]);
  });

  test("of a list of thousands, twenty are reported", () => {
    const hosts = Array.from({ length: 3_000 }, (_, at) => JSON.stringify(`A${at}.example`)).join(", ");
    expect(never(`network.hostname in [${hosts}]`)).toHaveLength(20);
  });
});
