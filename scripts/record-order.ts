// `bun scripts/record-order.ts`, as root: records which functions a start of the daemon uses, so that the compiler can
// put their bytecode together (scripts/bytecode-order). Run it after larger changes of the code that runs at a start.
import { once } from "node:events";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { HUNDRED_RULES } from "../bench/socket.ts";
import { daemonArgv, layOut } from "../test/support/program/daemon.ts";
import { buildProgram } from "./build-program.ts";
import { bytecodeOrderOf, entryOf, startOf } from "./project.ts";

const work = mkdtempSync(join(tmpdir(), "outcall-order-"));
const output = join(work, "outcalld");
// A static program would remove the variable from its runtime's environment.
buildProgram({ entry: entryOf("outcalld"), output, linkage: "dynamic", start: startOf("outcalld") });
const files = layOut({ "a.yaml": HUNDRED_RULES }, work);
const [command = "", ...args] = daemonArgv(files, ["--containers", "namespace", "--bridge", "none"], [output]);
const child = spawn(command, args, {
  stdio: ["ignore", "ignore", "pipe"],
  env: { ...process.env, BUN_BYTECODE_ORDER_OUT: join(work, "%p.order") },
});
const ended = once(child, "exit");
for await (const line of createInterface({ input: child.stderr })) {
  if (line.includes('"event":"ready"')) child.kill("SIGTERM");
}
await ended;
const [recorded] = readdirSync(work).filter((name) => name.endsWith(".order"));
if (recorded === undefined) throw new Error("the daemon recorded no functions");
// Keeps only the functions: the other records are much longer and save little more.
const [version = "", ...lines] = readFileSync(join(work, recorded), "utf8").trimEnd().split("\n");
const functions = lines.filter((line) => line.startsWith("F "));
const target = bytecodeOrderOf("outcalld");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${[version, ...functions].join("\n")}\n`);
rmSync(work, { recursive: true });
console.log(`wrote ${functions.length} functions to ${target}`);
