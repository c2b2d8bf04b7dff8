// A context in a record: names and plain members, and of everything else its type and size.
import { describe, expect, test } from "bun:test";
import { redactContext } from "../../src/audit/redact-context.ts";
import { contextOf } from "../../src/action/request-context.ts";
import type { Context } from "../../src/core/context.ts";
import { completed } from "../support/plain/complete-context.ts";

const host = (context: Context) => redactContext(completed(context), { ordered: false });

test("values of headers, metadata, labels, facts and run.context are never there", () => {
  const context: Context = {
    http: { method: "GET", host: "h", headers: { accept: "x", cookie: "yyy" }, body_size: 3 },
    run: { tool: "t", context: { secretive: [1, 2], action_type: "tool_exec", kept: true } },
    agent: { id: "i", name: "n", image: "m", labels: { "com.example": "value" } },
    envelope: { verified: true, outcome: "pass", age_seconds: 1, facts: { diff: { lines: 3 } } },
    action_type: "network_call",
    target: "h:443",
    metadata: { kept: true, "__proto__": "x" },
  };
  const http = { ...context.http, path: "/a?b=c" };
  expect(redactContext({ ...completed(context), http, target: "h/a?b=c" }, { ordered: false })).toEqual({
    action_type: "network_call",
    target: "h/a?<query 3 bytes>",
    http: {
      method: "GET",
      path: "/a?<query 3 bytes>",
      host: "h",
      headers: { accept: "<header 1 bytes>", cookie: "<header 3 bytes>" },
      body_size: 3,
    },
    run: { tool: "t", path: "t", argv: [], parsed: true, context: { secretive: "<metadata 5 bytes>" } },
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
    },
  })).toEqual({
    network: { hostname: "h", ip: "1.2.3.4", port: 443, protocol: "tcp" },
    dns: { query: "q", record_type: "A" },
    docker: {
      image: "i",
      command: ["x", "--token", "<argument 1 bytes>"],
      volumes: ["/a:/b"],
      env_keys: ["A", "B=<environment 6 bytes>"],
      capabilities: ["NET_ADMIN"],
    },
  });
});

test("nothing is there where nothing was", () => expect(host({})).toEqual({}));

describe("the arguments of a host's context, of which nobody knows the order", () => {
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
