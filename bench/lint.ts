// `outcall lint` of a directory such as a team might have: a hundred files of ten rules each.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../test/support/program/programs.ts";
import { outputOf } from "./in-container.ts";
import { compare } from "./rounds.ts";
import { type Section, under } from "./section.ts";
import { conditionsOf, filesOf } from "./workload.ts";

const ROUNDS = 7;

/** Measures lint. */
export async function measureLint(): Promise<Section> {
  const dir = mkdtempSync(join(tmpdir(), "outcall-bench-"));
  for (const { name, text } of filesOf(conditionsOf(1_000, "mixed"), 10)) writeFileSync(join(dir, name), text);
  const [outcall = ""] = program("outcall");
  const timed = (args: readonly string[]) => async () => {
    const startMs = performance.now();
    await outputOf(outcall, args);
    return performance.now() - startMs;
  };
  try {
    const measured = await compare([
      { name: "outcall --version", measure: timed(["--version"]) },
      { name: "outcall lint", measure: timed(["lint", dir]) },
    ], ROUNDS);
    return {
      title: "Lint",
      notes: ["The time of the whole process, for 100 files of 10 rules each."],
      rows: [{ what: "1,000 rules", unit: "ms", measured, ratio: under(measured, "outcall lint", 500, "ms") }],
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
