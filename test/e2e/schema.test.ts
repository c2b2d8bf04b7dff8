// The JSON Schema that `outcall schema rule-file` prints, held by a validator that is not ours against the conformance
// data: it takes every good file and refuses every file of a wrong shape.
import { Validator } from "@cfworker/json-schema";
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { sharedCases } from "../support/conformance.ts";
import { program } from "../support/program/programs.ts";

const [command = "", ...rest] = program("outcall");
const printed = spawnSync(command, [...rest, "schema", "rule-file"], { encoding: "utf8" });
const validator = new Validator(JSON.parse(printed.stdout), "7");

// What a schema can know; an egress of another kind is a wrong shape too, under a code of its own.
const SHAPE_CODES = new Set(["rule.schema", "rule.version", "rule.unsupported"]);

const files = sharedCases().flatMap(({ note, files, load }) =>
  Object.entries(files).filter(([name]) => name.endsWith(".yaml")).map(([name, text]) => {
    const codes = (load?.error ?? []).filter((finding) => finding.file === name).map((finding) => finding.code);
    return { note, name, text, codes };
  })
).filter(({ codes }) => !codes.includes("rule.yaml"));

test("the conformance data has good files and files of a wrong shape", () => {
  const misshapen = files.filter(({ codes }) => codes.some((code) => SHAPE_CODES.has(code)));
  expect(misshapen.length).toBeGreaterThanOrEqual(6);
  expect(files.length - misshapen.length).toBeGreaterThanOrEqual(30);
});

test.each(files)("$note: $name", ({ text, codes }) => {
  const { valid } = validator.validate(parse(text));
  expect(valid).toBe(!codes.some((code) => SHAPE_CODES.has(code)));
});
