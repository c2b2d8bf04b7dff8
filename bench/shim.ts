// The shim from its start to its verdict, compared with programs that only start, or only start and connect.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram } from "../scripts/build-program.ts";
import { startOf } from "../scripts/project.ts";
import { program } from "../test/support/program/programs.ts";
import { inContainer } from "./in-container.ts";
import { startRig } from "./rig.ts";
import { type Measured, summarize } from "./rounds.ts";
import { atMost, type Section } from "./section.ts";
import { ALLOWED, HUNDRED_RULES } from "./socket.ts";
import type { Starts } from "./start-client.ts";

const ROUNDS = 40;

/** Measures starts. */
export async function measureShim(): Promise<Section> {
  const dir = mkdtempSync(join(tmpdir(), "outcall-bench-"));
  const connects = compileBench("connect-and-exit", dir);
  const rig = await startRig({ "a.yaml": HUNDRED_RULES });
  const { agentSocket } = rig.files;
  const check = ["check", "--type", ALLOWED.action_type, "--target", ALLOWED.target, "--agent-socket", agentSocket];
  const variants: readonly (readonly [name: string, command: readonly string[]])[] = [
    ["/bin/true", ["/bin/true"]],
    ["compiled program that connects and exits", [connects, agentSocket]],
    ["outcall-agent --version", [...program("outcall-agent"), "--version"]],
    ["outcall-agent check", [...program("outcall-agent"), ...check]],
  ];
  try {
    const starts: Starts = { commands: variants.map(([, command]) => command), rounds: ROUNDS };
    const taken = await inContainer("start-client.ts", [JSON.stringify(starts)]);
    const measured = variants.map(([name], at): Measured => {
      const values: unknown = Array.isArray(taken) ? taken[at] : undefined;
      return { name, ...summarize(Array.isArray(values) ? values.map(Number) : []) };
    });
    return {
      title: "Shim",
      notes: [
        `The time from the start of a process to its exit, in one PID namespace. Each program runs ${ROUNDS} times, in turn with the others. \`check\` connects, checks in, asks and prints the verdict. The program that only connects is compiled with the same flags.`,
      ],
      rows: [{
        what: "Start to verdict",
        unit: "ms",
        measured,
        ratio: atMost(measured, "outcall-agent check", "compiled program that connects and exits", 4),
      }],
    };
  } finally {
    await rig.stop();
    rmSync(dir, { recursive: true });
  }
}

/** Compiles a benchmark program with the flags of the build and returns its path. */
export function compileBench(name: string, dir: string): string {
  const output = join(dir, name);
  const entry = join(import.meta.dir, `${name}.ts`);
  buildProgram({ entry, output, linkage: "dynamic", start: startOf("outcall-agent") });
  return output;
}
