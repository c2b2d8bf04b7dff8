// An unpacked archive whose programs are one-line scripts: install.sh treats them like the real ones, and they are
// small.
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAMS } from "../../../scripts/project.ts";
import type { Component } from "../../../scripts/release/components.ts";
import { stage } from "../../../scripts/release/stage.ts";

/** The only component in the bill of materials of a staged release. */
export const SAMPLE_COMPONENT: Component = {
  name: "sample",
  version: "1.2.3",
  purl: "pkg:npm/sample@1.2.3",
  licence: "MIT",
  hash: { kind: "SHA-512", hex: "0".repeat(128) },
  text: "the text of its licence",
  programs: PROGRAMS,
};

/** The date of all its files, in seconds since 1970. */
export const STAGED_DATE = 1_700_000_000;

/** Creates a staged release in a new directory; returns that directory, which contains `name`. */
export function stageSample(name: string, component = SAMPLE_COMPONENT): string {
  const directory = mkdtempSync(join(tmpdir(), "outcall-staged-"));
  // Ordinary users install from this directory too.
  chmodSync(directory, 0o755);
  const programs = join(directory, "programs");
  mkdirSync(programs);
  for (const program of PROGRAMS) {
    writeFileSync(join(programs, program), `#!/bin/sh\necho ${program}\n`, { mode: 0o755 });
  }
  const target = "sample";
  const components = [component];
  stage({ directory: join(directory, name), target, programs, components, date: STAGED_DATE, compiler: "0.0.0" });
  return directory;
}
