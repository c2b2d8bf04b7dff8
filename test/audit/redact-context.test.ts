// A context in a record: names and harmless members as text, of everything else the type and size.
import { describe, expect, test } from "bun:test";
import { redactContext, redactTarget } from "../../src/audit/redact-context.ts";
import { contextOf } from "../../src/action/request-context.ts";
import type { Context } from "../../src/core/context.ts";
import { completed } from "../support/plain/complete-context.ts";

const host = (context: Context) => redactContext(completed(context), { ordered: false });

test("values of headers, metadata, labels, facts and run.context are never there", () => {
  const context: Context = {
    http: {
      method: "GET",
      query: "b=c&tok&=x&&d=",
      host: "h",
      headers: { accept: "x", cookie: "yyy" },
      body_size: 3,
    },
    run: { tool: "t", context: { secretive: [1, 2], action_type: "tool_exec", kept: true } },
    agent: { id: "i", name: "n", image: "m", labels: { "com.example": "value" } },
    envelope: { verified: true, outcome: "pass", age_seconds: 1, facts: { diff: { lines: 3 } } },
    action_type: "network_call",
    target: "h",
    metadata: { kept: true, "__proto__": "x" },
  };
  // Not canonical on purpose: a record must hide secrets wherever they come from.
  const http = { ...context.http, path: "/a?b=c" };
  expect(redactContext({ ...completed(context), http, target: "h/a?b=c" }, { ordered: false })).toEqual({
    action_type: "network_call",
    target: "h/a?<query 3 bytes>",
    http: {
      method: "GET",
      path: "/a?<query 3 bytes>",
      query: "b=<query 1 bytes>&<query 3 bytes>&=<query 1 bytes>&&d=<query 0 bytes>",
      host: "h",
      headers: { accept: "<header 1 bytes>", cookie: "<header 3 bytes>" },
      body_size: 3,
    },
    run: {
      tool: "t",
      path: "t",
      executable: "t",
      argv0: "t",
      argv: [],
      parsed: true,
      changed: true,
      env_keys: [],
      context: { secretive: "<metadata 5 bytes>" },
    },
    observed: false,
    agent: { id: "i", name: "n", image: "m", labels: { "com.example": "<label 5 bytes>" } },
    envelope: { verified: true, outcome: "pass", age_seconds: 1, facts: { diff: "<fact 11 bytes>" } },
    metadata: { kept: "<metadata 4 bytes>" },
  });
});

test("other namespaces", () => {
  expect(host({
    network: { hostname: "h", ip: "1.2.3.4", port: 443, protocol: "tcp" },
    dns: { query: "q", record_type: "A" },
    docker: {
      image: "i",
      command: ["x", "--token", "t"],
      volumes: ["/a:/b"],
      env_keys: ["A", "B=secret"],
      capabilities: ["NET_ADMIN"],
      operation: "container.create",
      privileged: true,
    },
  })).toEqual({
    observed: false,
    network: { hostname: "h", ip: "1.2.3.4", port: 443, protocol: "tcp" },
    dns: { query: "q", record_type: "A" },
    docker: {
      image: "i",
      command: ["x", "--token", "<argument 1 bytes>"],
      volumes: ["/a:/b"],
      env_keys: ["A", "B=<environment 6 bytes>"],
      capabilities: ["NET_ADMIN"],
      operation: "container.create",
      privileged: true,
    },
  });
});

test("A11: a namespace or member that the table does not have keeps its name and loses its value", () => {
  const future = { tls: { sni: "s3cret" }, odd: "s3cret", http: { path: "/", trailer: ["s3cret"] }, run: "s3cret" };
  expect(redactContext(future as Context, { ordered: true })).toEqual({
    tls: "<unknown 16 bytes>",
    odd: "<unknown 6 bytes>",
    http: { path: "/", trailer: "<unknown 10 bytes>" },
    run: "<unknown 6 bytes>",
  });
});

test("a value of another type than the table says is hidden", () => {
  const odd = { network: { hostname: { a: "s3cret" }, port: "s3cret" }, observed: "s3cret", metadata: "s3cret" };
  expect(redactContext(odd as unknown as Context, { ordered: true })).toEqual({
    network: { hostname: "<unknown 14 bytes>", port: "<unknown 6 bytes>" },
    observed: "<unknown 6 bytes>",
    metadata: "<metadata 6 bytes>",
  });
});

test("an empty context stays empty", () => expect(redactContext({}, { ordered: false })).toEqual({}));

describe("the arguments of a host's context, whose order is unknown", () => {
  const run = (flags: readonly string[], args: readonly string[]) => host({ run: { tool: "x", flags, args } })["run"];

  test("stay where no flag takes a secret", () => {
    expect(run(["-f", "--key=abc"], ["push", "main"])).toMatchObject({
      argv: ["-f", "--key=<argument 3 bytes>", "push", "main"],
    });
  });

  test("are hidden where one does: any of them may be its value", () => {
    expect(run(["--password", "-v"], ["push", "hunter2"])).toMatchObject({
      argv: ["--password", "<argument 2 bytes>", "<argument 4 bytes>", "<argument 7 bytes>"],
    });
  });
});

describe("what an agent asks", () => {
  const agent = (request: { action_type: string; target: string; metadata?: Record<string, unknown> }) => {
    const context = contextOf(request);
    if (!context.ok) throw new Error(context.error.message);
    return redactContext(context.value, { ordered: true });
  };

  test("a cluster's letters are not among its flags", () => {
    const text = JSON.stringify(
      agent({ action_type: "tool_exec", target: "/usr/bin/mysql", metadata: { argv: ["-pxyz", "-u", "me"] } }),
    );
    expect(text).toContain('"argv":["-p<argument 3 bytes>","-u","me"]');
    expect(text).not.toContain("xyz");
    expect(text).not.toContain('"flags"');
  });

  test("a simple line is there as line and as arguments, hidden in both", () => {
    expect(agent({ action_type: "shell_exec", target: "x --token 'a b' c" })).toMatchObject({
      target: "x --token '<argument 3 bytes>' c",
      run: { argv: ["--token", "<argument 3 bytes>", "c"] },
    });
  });

  test("any other line is hidden word by word", () => {
    expect(agent({ action_type: "shell_exec", target: "x --token t | y" })).toMatchObject({
      target: "x --token <argument 1 bytes> | y",
      run: { parsed: false, argv: ["x --token <argument 1 bytes> | y"] },
    });
  });

  test("a file", () => {
    expect(agent({ action_type: "file_access", target: "/etc/a?b", metadata: { mode: "read" } })).toMatchObject({
      target: "/etc/a?b",
      run: { tool: "file", argv: ["/etc/a?b"] },
      metadata: { mode: "<metadata 4 bytes>" },
    });
  });
});

test("A11: a query string and a fragment are hidden once, in the target as rules see it and as it was given", () => {
  const target = "https://h/a?token=abc&x=y#f";
  const request = contextOf({ action_type: "network_call", target });
  expect(request.ok && redactContext(request.value, { ordered: true })["target"]).toBe("https://h/a?<query 13 bytes>");
  expect(redactTarget("network_call", target)).toBe("https://h/a?<query 13 bytes>#<fragment 1 bytes>");
});
