// Plays through the reuse of a pid, in a PID namespace whose next pid can be set. A child connects, is pinned in both
// ways and ends, and another process gets its pid. Prints the results of both pins as one line of JSON.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import net from "node:net";
import { identifyPeer } from "../../../src/peer/accept.ts";
import { isAlive, isUnchanged, pinByPid } from "../../../src/peer/pin.ts";
import { CLIENT } from "./container.ts";
import { end, startIdle } from "./peer.ts";

const [socketPath = ""] = process.argv.slice(2);
// A thread of the runtime may take the pid first, so this needs several attempts.
const ATTEMPTS = 100;

const server = net.createServer();
server.listen(socketPath);
await once(server, "listening");
const connector = spawn(process.execPath, [CLIENT, "ask", socketPath], { stdio: ["pipe", "ignore", "inherit"] });
const [socket] = await once(server, "connection");
const peer = identifyPeer(socket);
const pid = connector.pid ?? 0;
const byStart = pinByPid(pid, null);
if (!peer.ok || !byStart.ok) throw new Error("peer is not identified");
const before = [isAlive(peer.value.process), isAlive(byStart.value)];
let other: ChildProcess = connector;
for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
  await end(other);
  writeFileSync("/proc/sys/kernel/ns_last_pid", String(pid - 1));
  other = await startIdle();
  if (other.pid === pid) break;
}
const pins = [peer.value.process, byStart.value];
const reused = other !== connector && other.pid === pid && existsSync(`/proc/${pid}/stat`);
const result = { before, reused, alive: pins.map(isAlive), unchanged: pins.map(isUnchanged) };
process.stdout.write(`${JSON.stringify(result)}\n`);
await end(other);
process.exit(0);
