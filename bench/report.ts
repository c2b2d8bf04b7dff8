// Sections -> docs/benchmarks.md: the tables of the last full run, with the machine and the versions they were measured
// on.
import { cpus, release, totalmem } from "node:os";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../scripts/project.ts";
import type { Row, Section } from "./section.ts";

/** The packages that are measured besides Outcall. */
const PACKAGES = [
  "bun",
  "elysia",
  "@marcbachmann/cel-js",
  "@bufbuild/cel",
  "cel-js",
  "@cedar-policy/cedar-wasm",
] as const;

/** The page. */
export function formatReport(sections: readonly Section[], loadBefore: number): string {
  const machine = `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} cores, ${
    Math.round(totalmem() / 2 ** 30)
  } GiB, Linux ${release()}`;
  const named = PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(", ");
  return [
    "# Benchmarks",
    "",
    "This page is written by `bun run bench`. In each round of a run, all programs of a table are measured in turn, so the",
    "figures of one table can be compared. Figures of different runs cannot be compared, because machines are shared and",
    "noisy. A row shows the median of the rounds, and the lowest and the highest.",
    "",
    `Machine: ${machine}. Load average before the run: ${loadBefore.toFixed(1)}.`,
    "On a busy machine, only the ratios are meaningful.",
    "",
    `Versions: ${named}.`,
    "",
    "To measure: `bun run build`, then `bun run bench` as root. `bun run bench [--checks=n] [section ...]` prints single sections.",
    "",
    ...sections.flatMap(formatSection),
  ].join("\n");
}

function formatSection({ title, notes, rows }: Section): readonly string[] {
  return [`## ${title}`, "", ...notes.flatMap((note) => [note, ""]), ...rows.flatMap(formatRow)];
}

function formatRow({ what, unit, measured, ratio }: Row): readonly string[] {
  const lines = measured.map(({ name, median, low, high }) =>
    `| ${name} | ${figure(median)} | ${figure(low)} to ${figure(high)} |`
  );
  const verdict = ratio === null ? [] : [
    `${ratio.of}: **${figure(ratio.value)}**, required: ${ratio.bound} (${
      ratio.isReached ? "reached" : "**missed**"
    }).`,
    "",
  ];
  return [
    `### ${what}`,
    "",
    `| | median, ${unit} | lowest to highest |`,
    "| --- | ---: | ---: |",
    ...lines,
    "",
    ...verdict,
  ];
}

/** A number with three significant digits. */
function figure(value: number): string {
  return Number.isFinite(value)
    ? Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 3 })
    : "-";
}

function versionOf(name: string): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(PROJECT, "node_modules", name, "package.json"), "utf8"),
  );
  return manifest.version;
}
