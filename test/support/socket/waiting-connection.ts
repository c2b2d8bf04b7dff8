// Checks with ss(8) whether a connection waits at a socket whose daemon does not accept.
import { spawnSync } from "node:child_process";
import type { DockerEngine } from "../host/docker.ts";

/** Waits until a connection to the socket waits to be accepted (Recv-Q of ss(8)). */
export async function connectionWaits(engine: DockerEngine, socketPath: string): Promise<void> {
  const [command = "", ...args] = engine.hostArgv(["ss", "-xlH", "src", socketPath]);
  const waiting = () => Number(spawnSync(command, args, { encoding: "utf8" }).stdout.split(/\s+/)[2]);
  while (!(waiting() > 0)) await new Promise((resolve) => setImmediate(resolve));
}
