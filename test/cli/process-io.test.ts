// How outcall behaves when its output is not read.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { sourceProgram } from "../support/program/programs.ts";

test.each([
  { note: "a full disk is told", to: ">/dev/full", stderr: "Error: standard output cannot be written\n" },
  { note: "a reader who has enough is not", to: "| head -c 1 >/dev/null", stderr: "" },
])("processIo: $note", ({ to, stderr }) => {
  const ended = spawnSync("sh", ["-c", `"$@" ${to}`, "sh", ...sourceProgram("outcall"), "schema", "rule-file"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  expect({ stdout: ended.stdout, stderr: ended.stderr }).toEqual({ stdout: "", stderr });
});
