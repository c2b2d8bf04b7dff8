// The JSON Schema from `outcall schema rule-file`, checked by an independent validator on the conformance data: it
// accepts every valid file and refuses every file with a wrong shape.
import { Validator } from "@cfworker/json-schema";
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { sharedCases } from "../support/conformance.ts";
import { program } from "../support/program/programs.ts";

const [command = "", ...rest] = program("outcall");
const printed = spawnSync(command, [...rest, "schema", "rule-file"], { encoding: "utf8" });
const validator = new Validator(JSON.parse(printed.stdout), "7");

// The codes that a schema can detect; another kind of egress is a wrong shape too, but has a code of its own.
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
