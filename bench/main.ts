// `bun run bench [--checks=n] [section ...]`: measures and prints the tables. A full run also writes them to
// docs/benchmarks.md.
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { PROJECT } from "../scripts/project.ts";
import { formatReport } from "./report.ts";
import { measureLint } from "./lint.ts";
import { measureLoad } from "./load.ts";
import { measureMemory } from "./memory.ts";
import { measureScans } from "./scan.ts";
import type { Section } from "./section.ts";
import { measureShim } from "./shim.ts";
import { measureSocket } from "./socket.ts";

// Enough checks to show memory that grows with each request.
const CHECKS = 1_000_000;

const [wanted, options] = split(process.argv.slice(2));
const checks = Number(options.find((option) => option.startsWith("--checks="))?.slice("--checks=".length) ?? CHECKS);

const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  scan: measureScans,
  socket: measureSocket,
  shim: measureShim,
  load: measureLoad,
  memory: () => measureMemory(checks),
  lint: measureLint,
};

const unknown = wanted.find((name) => !Object.hasOwn(SECTIONS, name));
if (unknown !== undefined || !Number.isSafeInteger(checks)) {
  console.error(`usage: bun run bench [--checks=n] [section ...]; sections: ${Object.keys(SECTIONS).join(", ")}`);
  process.exit(2);
}
const [loadBefore = NaN] = loadavg();
const sections: Section[] = [];
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startMs = performance.now();
  sections.push(await measure());
  console.error(`${name}: ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
}
const report = formatReport(sections, loadBefore);
console.log(report);
if (wanted.length === 0) writeFileSync(join(PROJECT, "docs", "benchmarks.md"), report);
process.exit(0);

function split(args: readonly string[]): readonly [names: readonly string[], options: readonly string[]] {
  const isOption = (arg: string) => arg.startsWith("--");
  return [args.filter((arg) => !isOption(arg)), args.filter(isOption)];
}
