// Passes a connected socket from one process to another with SCM_RIGHTS (unix(7)), in two modes of one program. `give
// <socket> <meeting>` connects to the socket and sends that connection to the process that listens at the meeting path;
// it prints "given" and exits at the end of its input. `take <meeting>` prints "ready", receives the connection, prints
// "taken", and uses it: each line of input is a request as JSON text, each line of output its answer, or null at the
// end of the connection.
import { dlopen, type Pointer, ptr } from "bun:ffi";
import { readSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseResponse } from "./raw-http.ts";

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
/** The sizes of struct msghdr, of one control message with a descriptor, and of its header, on 64-bit machines. */
const MESSAGE_BYTES = 56;
const CONTROL_BYTES = 24;
const CONTROL_LENGTH = 20n;
const CONTROL_DATA = 16;

const { symbols: libc } = dlopen("libc.so.6", {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  listen: { args: ["i32", "i32"], returns: "i32" },
  accept: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  sendmsg: { args: ["i32", "ptr", "i32"], returns: "i64" },
  recvmsg: { args: ["i32", "ptr", "i32"], returns: "i64" },
});

const [mode, ...paths] = process.argv.slice(2);
const [first = "", second = ""] = paths;
if (mode === "give") give(first, second);
else if (mode === "take") await take(first);
else throw new Error(`unknown mode: ${mode}`);

function give(socketPath: string, meetingPath: string): void {
  const connection = connectTo(socketPath);
  const message = new Message(connection);
  if (Number(libc.sendmsg(connectTo(meetingPath), message.pointer, 0)) !== 1) throw new Error("sendmsg failed");
  process.stdout.write("given\n");
  process.stdin.on("end", () => process.exit(0)).resume();
}

async function take(meetingPath: string): Promise<void> {
  const listener = newSocket();
  const address = addressOf(meetingPath);
  if (libc.bind(listener, ptr(address), address.length) !== 0) throw new Error("bind failed");
  if (libc.listen(listener, 1) !== 0) throw new Error("listen failed");
  writeSync(1, "ready\n");
  const message = new Message(-1);
  const meeting = libc.accept(listener, null, null);
  if (Number(libc.recvmsg(meeting, message.pointer, 0)) !== 1) throw new Error("recvmsg failed");
  writeSync(1, "taken\n");
  for await (const line of createInterface({ input: process.stdin })) {
    writeSync(1, `${JSON.stringify(speak(message.descriptor, JSON.parse(line)))}\n`);
  }
}

function speak(connection: number, request: string): unknown {
  let received = Buffer.alloc(0);
  const chunk = Buffer.alloc(65_536);
  try {
    writeSync(connection, request);
    for (;;) {
      const parsed = parseResponse(received);
      if (parsed !== null) return parsed.response;
      const count = readSync(connection, chunk);
      if (count === 0) return null;
      received = Buffer.concat([received, chunk.subarray(0, count)]);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET")) {
      return null;
    }
    throw error;
  }
}

function connectTo(path: string): number {
  const socket = newSocket();
  const address = addressOf(path);
  if (libc.connect(socket, ptr(address), address.length) !== 0) throw new Error(`cannot connect to ${path}`);
  return socket;
}

function newSocket(): number {
  const socket = libc.socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket < 0) throw new Error("socket failed");
  return socket;
}

// struct sockaddr_un.
function addressOf(path: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(AF_UNIX, 0), Buffer.from(`${path}\0`)]);
}

// A struct msghdr with one byte of data and one descriptor; it keeps the buffers alive.
class Message {
  readonly #data = new Uint8Array(1);
  readonly #vector = new BigUint64Array(2);
  readonly #control = new DataView(new ArrayBuffer(CONTROL_BYTES));
  readonly #header = new DataView(new ArrayBuffer(MESSAGE_BYTES));

  constructor(descriptor: number) {
    this.#vector.set([BigInt(ptr(this.#data)), 1n]);
    this.#control.setBigUint64(0, CONTROL_LENGTH, true);
    this.#control.setInt32(8, SOL_SOCKET, true);
    this.#control.setInt32(12, SCM_RIGHTS, true);
    this.#control.setInt32(CONTROL_DATA, descriptor, true);
    this.#header.setBigUint64(16, BigInt(ptr(this.#vector)), true);
    this.#header.setBigUint64(24, 1n, true);
    this.#header.setBigUint64(32, BigInt(ptr(this.#control.buffer)), true);
    this.#header.setBigUint64(40, BigInt(CONTROL_BYTES), true);
  }

  get pointer(): Pointer {
    return ptr(this.#header.buffer);
  }

  get descriptor(): number {
    return this.#control.getInt32(CONTROL_DATA, true);
  }
}
