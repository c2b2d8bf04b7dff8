// Runs a benchmark client in a PID namespace of its own, which the daemon treats as a container.
import { spawn } from "node:child_process";
import { quantile } from "./rounds.ts";
import type { Load } from "./socket-client.ts";

/** Runs a file of the benchmark in a new PID namespace and parses its output as JSON. */
export async function inContainer(file: string, args: readonly string[]): Promise<unknown> {
  const inner = [process.execPath, "--no-env-file", `${import.meta.dir}/${file}`, ...args];
  return JSON.parse(await outputOf("unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", ...inner]));
}

/** Sends the load from a container; returns the latencies in milliseconds, in ascending order. */
export async function latenciesOf(load: Load): Promise<readonly number[]> {
  const taken = await inContainer("socket-client.ts", [JSON.stringify(load)]);
  if (!Array.isArray(taken)) throw new Error("no latencies");
  return taken.map(Number).toSorted((a, b) => a - b);
}

/** The latency in milliseconds at a quantile, such as 0.99. */
export async function latencyOf(load: Load, part: number): Promise<number> {
  return quantile(await latenciesOf(load), part);
}

/** Runs a program to its end and returns its standard output. */
export function outputOf(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => (text += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => code === 0 ? resolve(text) : reject(new Error(`${command}: exit ${code}`)));
  });
}
