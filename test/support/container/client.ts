// A small client for identity tests, run as the peer to identify. `idle` prints that it is idle and waits for the end
// of stdin. `ask <socket>` sends one request for each line on stdin and prints the answers. `hand-down <socket>`
// connects, leaves the connection to a child process and exits; the child then sends the requests.
import { spawn } from "node:child_process";
import { readSync, writeSync } from "node:fs";
import net from "node:net";

const [mode, socketPath = ""] = process.argv.slice(2);
const INHERITED_FD = 3;
const READ_AGAIN_MS = 5;

switch (mode) {
  case "ask":
    relay(net.connect(socketPath));
    break;
  case "hand-down":
    handDown(net.connect(socketPath));
    break;
  case "inherited":
    process.stdin.on("data", (chunk) => writeSync(INHERITED_FD, String(chunk)));
    process.stdin.on("end", () => process.exit(0));
    readInherited();
    break;
  case "idle":
    process.stdout.write("idle\n");
    process.stdin.resume();
    break;
  default:
    throw new Error(`unknown mode: ${mode}`);
}

function relay(socket: net.Socket): void {
  process.stdin.on("data", (chunk) => socket.write(chunk));
  process.stdin.on("end", () => socket.end());
  socket.on("data", (chunk) => process.stdout.write(chunk));
  socket.on("error", (error) => process.stdout.write(`${JSON.stringify({ ok: false, broken: error.message })}\n`));
  socket.on("close", () => process.exit(0));
}

// The descriptor is non-blocking, because its first owner set it so.
function readInherited(): void {
  const buffer = Buffer.alloc(65_536);
  try {
    const count = readSync(INHERITED_FD, buffer);
    process.stdout.write(buffer.subarray(0, count));
    if (count === 0) process.exit(0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
  }
  setTimeout(readInherited, READ_AGAIN_MS);
}

function handDown(socket: net.Socket): void {
  socket.on("connect", () => {
    const handle: unknown = Reflect.get(socket, "_handle");
    const fd: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
    if (typeof fd !== "number") throw new Error("no descriptor");
    const child = spawn(process.execPath, [import.meta.path, "inherited"], {
      stdio: ["inherit", "inherit", "inherit", fd],
      detached: true,
    });
    child.on("spawn", () => process.exit(0));
  });
}
