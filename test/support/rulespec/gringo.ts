// gringo, an independent answer-set grounder: a program in its dialect -> the atoms that hold.
import { spawnSync } from "node:child_process";
import { missingProgram, requirement } from "../container/container.ts";

/** The name of a group of tests that need gringo. */
export function needsGringo(name: string): ReturnType<typeof requirement> {
  return requirement(name, missingProgram("gringo"));
}

/** Grounds a program without choices, so that only the atoms that hold remain; each is a line without its full stop. */
export function ground(program: string): ReadonlySet<string> {
  const ran = spawnSync("gringo", ["--text", "--warn=none", "-"], {
    input: program,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (ran.status !== 0) throw new Error(`gringo refuses the program: ${ran.stderr}\n${program}`);
  const lines = ran.stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const undecided = lines.find((line) => /:-|[;|]\s*\w+\(/.test(line.replaceAll(/"[^"]*"/g, "")));
  if (undecided !== undefined) throw new Error(`gringo leaves a rule: ${undecided}`);
  return new Set(lines.map((line) => line.replace(/\.$/, "")));
}
