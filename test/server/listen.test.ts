// listen(): each refusal is daemon.socket-bind and leaves existing files unchanged.
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BoundSocket, listen } from "../../src/server/listen.ts";

let dir = "";
const listeners: BoundSocket[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
  rmSync(dir, { recursive: true, force: true });
});

function makePath(): string {
  dir = mkdtempSync(join(tmpdir(), "outcall-listen-"));
  return join(dir, "s.sock");
}

async function tryListen(path: string, mode = 0o600) {
  const made = await listen({ path, mode, onConnection: (socket) => socket.end("hello"), onError: () => {} });
  if (made.ok) listeners.push(made.value);
  return made;
}

describe("daemon.socket-bind", () => {
  const cases: readonly { note: string; spoil: (path: string) => string; message: string }[] = [
    { note: "no directory", spoil: (path) => join(path, "deeper"), message: "does not exist" },
    {
      note: "a file in place of the directory",
      spoil: (path) => {
        writeFileSync(path, "");
        return join(path, "s.sock");
      },
      message: "cannot listen at",
    },
    {
      note: "a directory that the group may write",
      spoil: (path) => {
        chmodSync(dir, 0o770);
        return path;
      },
      message: "may be written by group or others (mode 770)",
    },
    {
      note: "a file",
      spoil: (path) => {
        writeFileSync(path, "precious");
        return path;
      },
      message: "not a socket",
    },
    {
      note: "a name that would paint the terminal",
      spoil: (path) => {
        const hostile = `${path}\u001b[2J`;
        writeFileSync(hostile, "");
        return hostile;
      },
      message: "\\u{1b}[2J",
    },
  ];
  for (const { note, spoil, message } of cases) {
    test(note, async () => {
      const path = spoil(makePath());
      const made = await tryListen(path);
      expect(made).toMatchObject({ ok: false, error: { code: "daemon.socket-bind" } });
      expect(made.ok ? "" : made.error.message).toContain(message);
    });
  }

  test("a socket in use, which stays in use", async () => {
    const path = makePath();
    expect((await tryListen(path)).ok).toBe(true);
    expect(await tryListen(path)).toMatchObject({ ok: false, error: { code: "daemon.socket-bind" } });
    const said = await new Promise((resolve) => connect(path).once("data", (data) => resolve(String(data))));
    expect(said).toBe("hello");
  });

  test("a file is left as it is", async () => {
    const path = makePath();
    writeFileSync(path, "precious");
    expect((await tryListen(path)).ok).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("precious");
  });
});

test("the socket has its mode, and is gone when it is closed", async () => {
  const path = makePath();
  const made = await tryListen(path, 0o666);
  expect(lstatSync(path).mode & 0o777).toBe(0o666);
  if (made.ok) await made.value.close();
  expect(existsSync(path)).toBe(false);
});
