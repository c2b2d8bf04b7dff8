// `bun run bench [section ...]`: measures, prints the tables, and after a full run writes them to docs/benchmarks.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../scripts/project.ts";
import { formatReport } from "./report.ts";
import { measureScans } from "./scan.ts";
import type { Section } from "./section.ts";
import { measureSocket } from "./socket.ts";

const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  scan: measureScans,
  socket: measureSocket,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(SECTIONS, name));
if (unknown !== undefined) {
  console.error(`no section "${unknown}"; there are ${Object.keys(SECTIONS).join(", ")}`);
  process.exit(2);
}
const sections: Section[] = [];
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startMs = performance.now();
  sections.push(await measure());
  console.error(`${name}: ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
}
const report = formatReport(sections);
console.log(report);
if (wanted.length === 0) writeFileSync(join(PROJECT, "docs", "benchmarks.md"), report);
process.exit(0);
