// The call that reloads the rules (S003-IF-004) on the built daemon, member by member.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket } from "../support/program/daemon.ts";
import { RuleHost } from "../support/rule/host.ts";

setDefaultTimeout(120_000);

const PATH = "/api/v1/rules/reload";
const rule = (id: string) => `version: "1"\nrules:\n  - {id: ${id}, condition: 'run.path == "${id}"', action: allow}\n`;

const hosts: RuleHost[] = [];
afterAll(async () => {
  for (const host of hosts) await host.dispose();
});

async function start(): Promise<RuleHost> {
  const host = await RuleHost.start({ "a.yaml": rule("a") }, {}, ["--no-watch"]);
  hosts.push(host);
  return host;
}

const { label, skip } = requirement("the call that reloads", missingRoot());

describe.skipIf(skip)(label, () => {
  const reload = ({ files }: RuleHost, body?: unknown) => callSocket(files.hostSocket, "POST", PATH, body);

  test("S003-IF-004 POST /api/v1/rules/reload: files, rules and warnings", async () => {
    const host = await start();
    host.write("b.yaml", rule("b"));
    host.write("c.yaml", `version: "1"\ndefinitions: {unused: run.parsed}\nrules: []\n`);
    const warnings = [
      "c.yaml:1: the file has definitions and no rules",
      'c.yaml:2: definition "unused" is used by no rule',
    ];
    for (const body of [undefined, {}]) {
      expect(await reload(host, body)).toMatchObject({
        status: 200,
        body: { success: true, data: { files_loaded: 3, rules_loaded: 2, warnings } },
      });
    }
    expect(await host.evaluate({ run: { tool: "b" } })).toMatchObject({ matched_rule: "b" });
  });

  test("S003-IF-004 POST /api/v1/rules/reload: 422 with the errors, and the previous rules", async () => {
    const host = await start();
    host.write("a.yaml", rule("b"));
    host.write("b.yaml", "version: 1\n");
    expect(await reload(host)).toMatchObject({
      status: 422,
      body: {
        success: false,
        error: expect.stringMatching(/^reload failed: \S+b\.yaml:1:10: .* Previous rules remain active\.$/),
        code: "daemon.reload-failed",
      },
    });
    expect(await host.evaluate({ run: { tool: "a" } })).toMatchObject({ matched_rule: "a" });
    expect(await host.evaluate({ run: { tool: "b" } })).toMatchObject({ matched_rule: null });
  });
});
