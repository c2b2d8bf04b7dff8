// The set-up scripts print nothing if everything is installed.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";

test("scripts/setup has nothing to do when run again", () => {
  const first = spawnSync(join(PROJECT, "scripts/setup"), { cwd: "/", encoding: "utf8" });
  expect(first.status).toBe(0);
  const second = spawnSync(join(PROJECT, "scripts/setup"), { cwd: "/", encoding: "utf8" });
  expect({ status: second.status, output: second.stdout + second.stderr }).toEqual({ status: 0, output: "" });
});

test("the shell scripts are shell: each passes the parser of sh", () => {
  for (const name of ["setup", "install-packages", "test", "release/archive/install.sh"]) {
    const run = spawnSync("sh", ["-n", join(PROJECT, "scripts", name)], { encoding: "utf8" });
    expect({ name, status: run.status, output: run.stderr }).toEqual({ name, status: 0, output: "" });
    expect(readFileSync(join(PROJECT, "scripts", name), "utf8")).toStartWith("#!/bin/sh\n");
  }
});
