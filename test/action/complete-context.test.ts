// completeContext(): a context from outside means the same as the context that the daemon makes of the same action.
import { describe, expect, test } from "bun:test";
import { completeContext } from "../../src/action/complete-context.ts";
import type { Context, HttpContext, NetworkContext, RunContext } from "../../src/core/context.ts";

const complete = (context: Context) => {
  const result = completeContext(context);
  if (result.ok) {
    // The next test covers the members that only enforcement points set.
    const { observed: _observed, run, ...rest } = result.value;
    if (run === undefined) return rest;
    const { executable: _executable, argv0: _argv0, changed: _changed, env_keys: _keys, ...seen } = run;
    return { ...rest, run: seen };
  }
  expect(result.error.code).toBe("daemon.unprocessable");
  return result.error.message;
};

test("a context that does not say so counts as not observed", () => {
  expect(completeContext({ run: { path: "/bin/../bin/x" } })).toEqual({
    ok: true,
    value: {
      observed: false,
      run: {
        ...{ path: "/bin/x", executable: "/bin/x", argv0: "x", changed: true, env_keys: [] },
        ...{ argv: [], parsed: true },
      },
    },
  });
  expect(completeContext({ observed: true, run: { tool: "x", argv0: "y", changed: false } })).toMatchObject({
    value: { observed: true, run: { executable: "x", argv0: "y", changed: false } },
  });
});

describe("A1: args and flags follow from argv", () => {
  const cases: readonly { note: string; given: RunContext; gives: RunContext | string }[] = [
    {
      note: "where it is given alone",
      given: { tool: "git", argv: ["push", "-uf"] },
      gives: {
        tool: "git",
        path: "git",
        argv: ["push", "-uf"],
        args: ["push"],
        flags: ["-uf", "-u", "-f"],
        parsed: true,
      },
    },
    {
      note: "where the same are given",
      given: { tool: "git", argv: ["push", "-f"], args: ["push"], flags: ["-f"] },
      gives: { tool: "git", path: "git", argv: ["push", "-f"], args: ["push"], flags: ["-f"], parsed: true },
    },
    {
      note: "and other args are refused",
      given: { tool: "git", argv: ["push", "-f"], args: [] },
      gives: "run.args is not what follows from run.argv; leave it out",
    },
    {
      note: "and other flags are refused",
      given: { tool: "git", argv: ["push", "-uf"], flags: ["-uf"] },
      gives: "run.flags is not what follows from run.argv; leave it out",
    },
    {
      note: "and args for an empty argv are refused",
      given: { tool: "git", argv: [], args: ["push"] },
      gives: "run.args is not what follows from run.argv; leave it out",
    },
    {
      note: "argv is flags, then args, where they are given alone",
      given: { tool: "git", args: ["push"], flags: ["-f"] },
      gives: { tool: "git", path: "git", argv: ["-f", "push"], args: ["push"], flags: ["-f"], parsed: true },
    },
    {
      note: "argv is empty where nothing is given",
      given: { tool: "git" },
      gives: { tool: "git", path: "git", argv: [], parsed: true },
    },
    {
      note: "a line that was not taken apart is its own argument and has no flags",
      given: { tool: "sh", argv: ["a -f | b"], parsed: false },
      gives: { tool: "sh", path: "sh", argv: ["a -f | b"], args: ["a -f | b"], parsed: false },
    },
    {
      note: "flags of a line that was not taken apart are refused",
      given: { tool: "sh", argv: ["a -f | b"], flags: ["-f"], parsed: false },
      gives: "run.flags is not what follows from run.argv; leave it out",
    },
    {
      note: "a path alone names no tool",
      given: { path: "/usr/bin/../bin/git" },
      gives: { path: "/usr/bin/git", argv: [], parsed: true },
    },
  ];
  for (const { note, given, gives } of cases) {
    test(note, () => expect(complete({ run: given })).toEqual(typeof gives === "string" ? gives : { run: gives }));
  }
});

describe("A2: target is the canonical form of the requested target", () => {
  const cases: readonly [type: string | undefined, target: string, gives: string][] = [
    ["file_access", "/workspace/../etc/shadow", "/etc/shadow"],
    ["tool_exec", "/usr/bin/../../tmp//git", "/tmp/git"],
    ["tool_exec", "git", "git"],
    ["tool_exec", "./git", "./git"],
    ["tool_exec", "tools/git", "tools/git"],
    ["tool_exec", "./tools//git", "tools/git"],
    ["tool_exec", "tools/../git", "./git"],
    ["tool_exec", "tools/../../../git", "../../git"],
    ["tool_exec", "../tools/./git", "../tools/git"],
    ["network_call", "HTTPS://H.example.:443/a/../b?q=1#f", "https://h.example/b?q=1"],
    ["network_call", "H.example", "h.example:443"],
    ["shell_exec", "cat  ../x", "cat  ../x"],
    ["dns_query", "h A", "h A"],
    ["dns_query", "EVIL.example. aaaa", "evil.example AAAA"],
    ["dns_query", "EVIL.example.", "evil.example"],
    ["docker_api", "post /containers/x/../create", "POST /containers/create"],
    ["file_access", "", ""],
    [undefined, "/a/../b", "/a/../b"],
  ];
  test.each(cases)("%s %s", (action_type, target, gives) => {
    const words = action_type === undefined ? {} : { action_type };
    expect(complete({ ...words, target })).toEqual({ ...words, target: gives });
  });

  test("relative to the working directory of run or metadata", () => {
    expect(complete({ action_type: "file_access", target: "../x", run: { cwd: "/w/a" } })).toMatchObject({
      target: "/w/x",
    });
    expect(complete({ action_type: "file_access", target: "../x", metadata: { cwd: "/w/a" } })).toMatchObject({
      target: "/w/x",
    });
  });

  const refused: readonly [type: string, target: string, message: string][] = [
    ["file_access", "x", 'relative path "x" needs metadata.cwd'],
    ["network_call", "https://h/a\\b", "path has a backslash, or a percent-encoded slash, backslash or dot"],
    ["network_call", "u:p@h", "target has user info"],
    ["dns_query", "h ", "target is not a name and a record type"],
    ["docker_api", "/info", "target is not a method and a path"],
    ["docker_api", "GET /a\\b", "path has a backslash, or a percent-encoded slash, backslash or dot"],
  ];
  test.each(refused)("refused: %s %s", (action_type, target, message) => {
    expect(complete({ action_type, target })).toBe(message);
  });

  test("run.context and the one argument of a file have it too", () => {
    const target = "/workspace/../etc/shadow";
    const run = { tool: "file", args: [target], context: { target, kept: 1 } };
    expect(complete({ action_type: "file_access", target, run })).toMatchObject({
      run: { args: ["/etc/shadow"], argv: ["/etc/shadow"], context: { target: "/etc/shadow", kept: 1 } },
    });
    expect(complete({ action_type: "tool_exec", target: "/bin/./x", metadata: { a: 1 }, run: { tool: "x" } }))
      .toMatchObject({
        run: { context: { a: 1, action_type: "tool_exec", target: "/bin/x" } },
      });
  });
});

describe("A8: a context is canonical, or refused", () => {
  const http: readonly [given: HttpContext, gives: HttpContext | string][] = [
    [{ method: "delete", host: "EVIL.example.", headers: { "X-Evil": "V" } }, {
      method: "DELETE",
      host: "evil.example",
      headers: { "x-evil": "V" },
    }],
    [{ path: "/a/./b/../c d" }, { path: "/a/c%20d" }],
    [{ method: "", path: "", host: "", body_size: 1 }, { method: "", path: "", host: "", body_size: 1 }],
    [{ method: "GET /" }, "http.method is no HTTP method"],
    [{ path: "a" }, "path does not begin with a slash"],
    [{ path: "/a?b" }, "path has a query or a fragment"],
    [{ path: "/a\u0000" }, "path has a control character"],
    [{ path: "/a%2f" }, "path has a backslash, or a percent-encoded slash, backslash or dot"],
    [{ host: "a..b" }, 'host "a..b" has an empty label'],
    [{ headers: { "a b": "" } }, 'header name "a b" is not an HTTP token'],
    [{ headers: { A: "1", a: "2" } }, 'header "a" is given twice'],
  ];
  test.each(http)("http %j", (given, gives) => {
    expect(complete({ http: given })).toEqual(typeof gives === "string" ? gives : { http: gives });
  });

  const network: readonly [given: NetworkContext, gives: NetworkContext | string][] = [
    [{ hostname: "EVIL.example.", port: 1 }, { hostname: "evil.example", port: 1 }],
    [{ hostname: "0x7f.1" }, { hostname: "127.0.0.1", ip: "127.0.0.1" }],
    [{ hostname: "", ip: "::FFFF:1.2.3.4" }, { hostname: "", ip: "1.2.3.4" }],
    [{ hostname: "h", ip: "1.2.3.4" }, { hostname: "h", ip: "1.2.3.4" }],
    [{ hostname: "1.2.3.4", ip: "" }, { hostname: "1.2.3.4", ip: "1.2.3.4" }],
    [{ hostname: "h", protocol: "TCP" }, { hostname: "h", protocol: "tcp" }],
    [{ hostname: "a b" }, 'host "a b" has a control character or a space'],
    [{ ip: "h" }, 'network.ip "h" is not an address'],
    [{ hostname: "1.2.3.4", ip: "1.2.3.5" }, "network.ip is another address than network.hostname"],
  ];
  test.each(network)("network %j", (given, gives) => {
    expect(complete({ network: given })).toEqual(typeof gives === "string" ? gives : { network: gives });
  });

  test("run.executable as run.path", () => {
    expect(completeContext({ run: { path: "/bin/./x", executable: "/lib/../bin//x" } })).toMatchObject({
      ok: true,
      value: { run: { path: "/bin/x", executable: "/bin/x" } },
    });
  });

  test("a DNS name in lower case without its last dot, whatever characters it contains", () => {
    expect(complete({ dns: { query: "EVIL.example.", record_type: "txt" } })).toEqual({
      dns: { query: "evil.example", record_type: "TXT" },
    });
    expect(complete({ dns: { query: "A b\u{1f600}É" } })).toEqual({ dns: { query: "a b\u{1f600}É" } });
  });
});

test("a canonical context is returned unchanged", () => {
  const context: Context = {
    docker: { image: "I", command: ["A"] },
    agent: { name: "N" },
    envelope: { outcome: "none" },
    metadata: JSON.parse('{"K": ["V"], "__proto__": 1}'),
  };
  expect(JSON.stringify(complete(context))).toBe(JSON.stringify(context));
});
