// Builds the program that the build tests compile.
import { join } from "node:path";
import { buildProgram } from "../../scripts/build-program.ts";
import type { Linkage } from "../../scripts/linkage.ts";
import type { Start } from "../../scripts/static-relink/start.ts";

/** The entry file. */
const SAMPLE_ENTRY = join(import.meta.dir, "sample-program.ts");

/** A start that does not change what the runtime sees. */
export const SAMPLE_START: Start = {
  name: "sample",
  variables: { kind: "drop", names: [] },
  unreadyStatus: 9,
  quietAbort: false,
};

/** Builds it. */
export function buildSample(output: string, linkage: Linkage, start: Partial<Start> = {}): void {
  buildProgram({ entry: SAMPLE_ENTRY, output, linkage, start: { ...SAMPLE_START, ...start } });
}
