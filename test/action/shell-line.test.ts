// Compares the parser with the shells of this machine: for each line that it accepts, its arguments must be those of
// the shell.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseShellLine } from "../../src/action/shell-line.ts";
import { CASES, Random, SEED } from "./random.ts";

const SHELLS = [["sh"], ["dash"], ["bash", "--posix"], ["bash"], ["busybox", "sh"], ["ksh"], ["yash"]] as const;

// Harmless even if a line is wrongly taken as simple: `set --` only counts words, redirections and patterns apply to a
// directory of their own, and no piece names a program that writes.
const PIECES = [
  ..."a b x= -f -- ~ ~/ :~ =~ { } , .. {} {a,b} {1..3} @ % ^ ! + / .".split(" "),
  ..." \t'\"\\#$`;&|<>()*?[]\n\r\v\u00a0é\u3000",
  ...["'a b'", '"a b"', "\\ ", "\\\n", "''", '""', "'\n'", '"\\$"', '"\\x"', "$x", "\\'", '\\"'],
];

// One process of each shell reads all lines. More lines take time and show nothing new.
const MOST_CASES = 5_000;
// Each of these runs starts a process.
const MOST_RUNS = 200;
const TIMEOUT_MS = 120_000;

type Vectors = readonly (readonly string[])[];

function vectorsOf(shell: readonly string[], lines: readonly string[], directory: string): Vectors {
  const script = lines.map((line) => `set -- ${line}\nprintf '%s\\0' "$@"\nprintf '\\1\\0'\n`).join("");
  const file = join(directory, "lines.sh");
  writeFileSync(file, script);
  const [program = "", ...options] = shell;
  const run = spawnSync(program, [...options, file], {
    cwd: join(directory, "files"),
    env: { PATH: process.env["PATH"] ?? "", HOME: "/home/h", LC_ALL: "C.UTF-8" },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(run.stderr).toBe("");
  // If there are no words, printf prints one empty text.
  return run.stdout.split("\x01\0").slice(0, -1).map((text) => text.split("\0").slice(0, -1));
}

function isInstalled([program = ""]: readonly string[]): boolean {
  return spawnSync(program, program === "busybox" ? [] : ["-c", ":"]).error === undefined;
}

test("parseShellLine gives the vector that every shell of this machine gives", () => {
  const random = new Random(SEED);
  const lines: string[] = [];
  for (let round = 0; round < Math.min(CASES, MOST_CASES) * 5; round++) {
    const line = `c ${random.text(PIECES, 7)}`;
    if (parseShellLine(line) !== null) lines.push(line);
  }
  expect(lines.length).toBeGreaterThan(0);
  const directory = mkdtempSync(join(tmpdir(), "outcall-shell-"));
  try {
    const files = join(directory, "files");
    mkdirSync(files);
    // These files make an unquoted pattern visible that was taken for a word.
    for (const name of ["a", "b", "x=a", "é"]) writeFileSync(join(files, name), "");
    for (const shell of SHELLS.filter(isInstalled)) {
      const vectors = vectorsOf(shell, lines, directory);
      expect(vectors.length).toBe(lines.length);
      for (const [index, line] of lines.entries()) {
        const about = `seed ${SEED}, ${shell.join(" ")}: ${JSON.stringify(line)}`;
        expect(vectors[index], about).toEqual([...parseShellLine(line) ?? []]);
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}, TIMEOUT_MS);

// Words at the position of the command name; `a` and `b` exist as programs.
const NAMES = [
  ..."a b 'a' \\a a'' \"b\" if { ! time x=1 'x'=1 - -c + a=b %1 # ~ '#' [ . : ./a".split(" "),
  ...["", " ", "x= a", "{ a", "! a", "time a", "if a", "a\n"],
];

test("parseShellLine names the program that sh -c runs, with the arguments it gets", () => {
  const random = new Random(SEED);
  const directory = mkdtempSync(join(tmpdir(), "outcall-shell-"));
  try {
    for (const name of ["a", "b"]) {
      const program = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@"\n`;
      writeFileSync(join(directory, name), program, { mode: 0o755 });
    }
    let ran = 0;
    for (let round = 0; round < Math.min(CASES, MOST_RUNS) * 10 && ran < MOST_RUNS; round++) {
      const line = random.pick(NAMES) + random.pick([" ", "", "\t"]) + random.text(PIECES, 4);
      const [name, ...rest] = parseShellLine(line) ?? [];
      if (name !== "a" && name !== "b") continue;
      ran++;
      const run = spawnSync("/bin/sh", ["-c", line], { cwd: directory, env: { PATH: directory }, encoding: "utf8" });
      const about = `seed ${SEED}: ${JSON.stringify(line)}: ${run.stderr}`;
      expect(run.stdout.split("\0").slice(0, -1), about).toEqual([name, ...rest]);
    }
    expect(ran).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true });
  }
}, TIMEOUT_MS);

test("parseShellLine takes long lines in one pass", () => {
  const words = Array.from({ length: 20_000 }, () => "ab");
  expect(parseShellLine(words.join(" "))).toEqual(words);
  expect(parseShellLine(`x "${"a\\\\".repeat(20_000)}"`)).toEqual(["x", "a\\".repeat(20_000)]);
  expect(parseShellLine("'".repeat(65_535))).toBeNull();
  expect(parseShellLine(`x ${"\\".repeat(65_000)}`)).toEqual(["x", "\\".repeat(32_500)]);
});
