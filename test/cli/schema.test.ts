import { nameOf } from "../../src/command/find-command.ts";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "bun:test";
import { CLI_COMMANDS } from "../../src/cli/program.ts";
import { SCHEMAS } from "../../src/cli/schema.ts";
import { VERSION } from "../../src/core/version.ts";
import { runOutcall } from "../support/program/cli-io.ts";

describe("schema", () => {
  for (const name of Object.keys(SCHEMAS)) {
    test(`${name} is a JSON Schema that a validator takes`, async () => {
      const { stdout, stderr, exit } = await runOutcall(["schema", name]);
      expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
      const schema = JSON.parse(stdout);
      expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
      // Each schema is of a closed object, so an unknown member is refused.
      expect(new Validator(schema, "7").validate({ version: 1, unheard_of: 1 }).valid).toBe(false);
    });
  }

  test("there is one for each command that prints JSON, by its words", () => {
    // These commands print a script, a schema or ids with any flags.
    const others = new Set(["schema", "completion", "complete"]);
    const names = CLI_COMMANDS.map(({ command }) => nameOf(command).replaceAll(" ", "-")).filter((name) =>
      !others.has(name)
    );
    expect(names.filter((name) => !Object.hasOwn(SCHEMAS, name))).toEqual([]);
  });

  test("validates what is printed", async () => {
    const schema = JSON.parse((await runOutcall(["schema", "version"])).stdout);
    const { stdout } = await runOutcall(["version", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, outcall: VERSION });
    expect(new Validator(schema, "7").validate(JSON.parse(stdout)).errors).toEqual([]);
  });

  test("an unknown name that is similar to none lists all names", async () => {
    const run = await runOutcall(["schema", "constructor"]);
    expect(run.exit).toBe(2);
    expect(run.stderr).toContain('unknown schema "constructor"');
    expect(run.stderr).toContain("Hint: one of rule-file, rulespec, context, lint");
  });
});
