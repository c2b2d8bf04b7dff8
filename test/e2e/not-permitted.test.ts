// The operator's commands as a user without access: an error message, exit 1, and no data read or printed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { program } from "../support/program/programs.ts";
import { RuleHost } from "../support/rule/host.ts";
import { type Ended, runProgram } from "../support/program/run-program.ts";

const NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];

const { label, skip } = requirement("commands of another user", missingRoot(), missingProgram("setpriv"));

describe.skipIf(skip)(label, () => {
  let host: RuleHost;
  let copy = "";
  beforeAll(async () => {
    host = await RuleHost.start({});
    copy = join(host.files.dir, "outcall");
    copyFileSync(program("outcall")[0] ?? "", copy);
  });
  afterAll(() => host.dispose());

  function asNobody(...args: readonly string[]): Promise<Ended> {
    return runProgram([...NOBODY, copy, "--socket", host.files.hostSocket, ...args]);
  }

  const COMMANDS = [
    ["rule", "list"],
    ["rule", "show", "a"],
    ["rule", "reload"],
    ["rule", "requests"],
    ["rule", "approve", "rr-0123456789ab"],
    ["rule", "deny", "rr-0123456789ab"],
    ["status"],
    ["bridge", "down"],
    ["container", "list"],
    ["log"],
    ["log", "verify"],
  ];
  test.each(COMMANDS.map((words) => words.join(" ")))("%s", async (command) => {
    const done = await asNobody(...command.split(" "));
    expect(done).toMatchObject({ code: 1, stdout: "" });
    const cannot = `Error: cannot connect to outcalld at ${host.files.hostSocket} -- is it running?\n`;
    expect(done.stderr).toStartWith(`${cannot}Hint: this user may not connect to that socket`);
  });

  test("A3: doctor does not say that no daemon answers where the user may not connect", async () => {
    const { code, stdout } = await asNobody("doctor");
    expect(code).toBe(1);
    expect(stdout).toContain(`failed   daemon           this user may not connect to "${host.files.hostSocket}"\n`);
    expect(stdout).toContain("-> run doctor as root or as the daemon's user\n");
    expect(stdout).not.toContain("start outcalld,");
  });

  test("log, by its files", async () => {
    expect(await asNobody("log")).toMatchObject({ code: 1, stdout: "" });
    for (const command of [["log"], ["log", "verify"]]) {
      const done = await asNobody(...command, "--state-dir", join(host.files.dir, "state"));
      expect(done).toMatchObject({ code: 1, stdout: "" });
      expect(done.stderr).toContain("cannot read the decision log in");
      expect(done.stderr).toContain("permission denied");
    }
  });
});
