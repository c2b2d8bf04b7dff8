// A small daemon for identity tests: `container-server.ts <socket> <options as JSON>`. It identifies each peer at
// accept and answers each line with one line of JSON: the container or the problem. On stdout it prints "ready", and a
// line for each container that ended and for each peer that could not be identified. It exits at the end of its stdin,
// so it never outlives the process that started it.
import net from "node:net";
import { chmodSync } from "node:fs";
import { chooseSource, type SourceOptions } from "../../../src/container/choose.ts";
import type { ContainerSource } from "../../../src/container/source.ts";
import { identifyPeer } from "../../../src/peer/accept.ts";
import { isAlive, release } from "../../../src/peer/pin.ts";

const [socketPath = "", options = "{}"] = process.argv.slice(2);
const parsed: SourceOptions = JSON.parse(options);
const chosen = await chooseSource(parsed);
if (!chosen.ok) {
  process.stdout.write(`${JSON.stringify(chosen.error)}\n`);
  process.exit(1);
}
const { source } = chosen.value;
process.stdin.on("end", () => process.exit(0)).resume();
source.onGone((container) => process.stdout.write(`gone ${container.id}\n`));
const server = net.createServer((socket) => serve(socket, source));
server.listen(socketPath, () => {
  chmodSync(socketPath, 0o666);
  process.stdout.write("ready\n");
});

function serve(socket: net.Socket, source: ContainerSource): void {
  const peer = identifyPeer(socket);
  if (!peer.ok) process.stdout.write(`unidentified ${peer.error.code}\n`);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => peer.ok && release(peer.value.process));
  socket.on("data", async () => {
    if (!peer.ok) return answer(socket, { ok: false, error: peer.error });
    const alive = isAlive(peer.value.process);
    const container = await source.identify(peer.value);
    answer(socket, { ...container, pid: peer.value.credentials.pid, alive, status: source.status() });
  });
}

function answer(socket: net.Socket, value: unknown): void {
  socket.write(`${JSON.stringify(value)}\n`);
}
