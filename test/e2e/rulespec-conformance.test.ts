// Every conformance case of rulespecs, and every example of the specification's page, with the built program; gringo
// checks each compiled program, if it is installed.
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { formatJson } from "../../src/core/json.ts";
import { ground, needsGringo } from "../support/rulespec/gringo.ts";
import { program } from "../support/program/programs.ts";
import { type Ended, runProgram } from "../support/program/run-program.ts";
import { rulespecCases } from "../support/rulespec/cases.ts";
import { SEED_EXAMPLES } from "../support/rulespec/seed.ts";

const { stdout: schema } = await runProgram([...program("outcall"), "schema", "rulespec-verify"]);
const validator = new Validator(JSON.parse(schema), "7");

type Run = (...words: readonly string[]) => Promise<Ended>;

async function withFiles(rulespec: string, envelope: string, use: (outcall: Run) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "outcall-rulespec-"));
  try {
    writeFileSync(join(directory, "rulespec.yaml"), rulespec);
    writeFileSync(join(directory, "envelope.yaml"), envelope);
    await use((...words) => runProgram([...program("outcall"), "rulespec", ...words], { directory }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const VERIFY = ["verify", "--rulespec", "rulespec.yaml", "--envelope", "envelope.yaml", "--json"];
const EXITS: Readonly<Record<string, number>> = { verified: 0, failed: 1, vacuous: 1, error: 1 };

describe("rulespec.json", () => {
  // One run of the program for all rulespecs; each is analysed separately.
  test("lint", async () => {
    const cases = rulespecCases();
    const directory = mkdtempSync(join(tmpdir(), "outcall-rulespec-"));
    try {
      const files = cases.map(({ claims, predicate }, at) => {
        mkdirSync(join(directory, String(at)));
        const file = join(directory, String(at), "rulespec.yaml");
        writeFileSync(file, formatJson({ claims, predicates: [predicate] }));
        return file;
      });
      const { stdout } = await runProgram([...program("outcall"), "lint", "--format", "json", ...files]);
      const wrong = new Set(
        JSON.parse(stdout).findings.filter(({ severity }: { readonly severity: string }) => severity === "error")
          .map(({ file }: { readonly file: string }) => file),
      );
      const refused = cases.map(({ note }, at) => ({ note, refused: wrong.has(files[at]) }));
      expect(refused).toEqual(cases.map(({ note, want }) => ({ note, refused: want === "error" })));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  for (const { note, claims, predicate, facts, want } of rulespecCases()) {
    test(
      note,
      () =>
        withFiles(formatJson({ claims, predicates: [predicate] }), formatJson({ facts }), async (outcall) => {
          const { stdout, stderr, code } = await outcall(...VERIFY);
          const output = JSON.parse(stdout);
          expect(validator.validate(output).errors).toEqual([]);
          const status = output.outcome === "error" ? "error" : output.predicates[0].status;
          expect({ status, stderr, code }).toEqual({ status: want, stderr: "", code: EXITS[output.outcome] ?? -1 });
        }),
    );
  }
});

const gringo = needsGringo("the programs of the seed's page, by gringo");

describe("the seed's page", () => {
  for (const { note, rulespec, envelope, statuses, outcome } of SEED_EXAMPLES) {
    test(note, () =>
      withFiles(rulespec, envelope, async (outcall) => {
        const { stdout, code } = await outcall(...VERIFY);
        const output = JSON.parse(stdout);
        expect(output).toMatchObject({ outcome, total: statuses.length });
        expect(output.predicates.map(({ status }: { readonly status: string }) => status)).toEqual(statuses);
        expect(code).toBe(EXITS[outcome] ?? -1);
      }));
  }

  test.skipIf(gringo.skip)(gringo.label, async () => {
    for (const { note, rulespec, envelope, statuses } of SEED_EXAMPLES) {
      await withFiles(rulespec, envelope, async (outcall) => {
        const { stdout } = await outcall("compile", "rulespec.yaml", "--envelope", "envelope.yaml", "--dialect", "asp");
        const found = [...ground(stdout)].filter((atom) => atom.startsWith("pred_")).sort();
        expect({ note, found }).toEqual({ note, found: statuses.map((each, at) => `pred_${each}(${at})`).sort() });
      });
    }
  });
});
