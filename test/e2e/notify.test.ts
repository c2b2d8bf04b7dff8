// The daemon notifies its supervisor when it serves and when it ends (sd_notify(3)), at a path and at an abstract
// socket; an independent program receives it.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { missingProgram, requirement } from "../support/container/container.ts";
import { Daemon, daemonArgv, layOut, PLAIN_FLAGS } from "../support/program/daemon.ts";

setDefaultTimeout(120_000);

const RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
target = sys.argv[1]
s.bind("\\0" + target[1:] if target.startswith("@") else target)
print("bound", flush=True)
for _ in range(2): print(s.recv(4096).decode().replace("\\n", " "), flush=True)
`;

const ended: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const { label, skip } = requirement("NOTIFY_SOCKET", missingProgram("python3"));

describe.skipIf(skip)(label, () => {
  for (const [note, place] of [["a path", "path"], ["a name without a file", "abstract"]] as const) {
    test(`${note}: READY=1 once it serves, STOPPING=1 when it ends`, async () => {
      const files = layOut({});
      const target = place === "path" ? join(files.dir, "notify") : `@outcall-test-${process.pid}`;
      const receiver = spawn("python3", ["-c", RECEIVER, target], { stdio: ["ignore", "pipe", "inherit"] });
      ended.push(() => void receiver.kill("SIGKILL"));
      const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
      const hear = async () => (await lines.next()).value;
      expect(await hear()).toBe("bound");
      const daemon = startNotifying(files, target);
      expect(await hear()).toBe("READY=1");
      await daemon.record({ event: "ready" });
      const heard = hear();
      await daemon.end("SIGTERM");
      expect(await heard).toBe("STOPPING=1");
      expect(daemon.records.filter(({ event }) => event === "notify.failed")).toEqual([]);
    });
  }
});

test("no supervisor at the socket: a warning, and the daemon serves", async () => {
  const files = layOut({});
  const daemon = startNotifying(files, join(files.dir, "nobody"));
  await daemon.record({ event: "ready" });
  await daemon.record({ event: "notify.failed", level: "warning", notice: "READY=1" });
  expect(await daemon.end("SIGTERM")).toBe(0);
});

function startNotifying(files: ReturnType<typeof layOut>, target: string): Daemon {
  const [command = "", ...argv] = daemonArgv(files, PLAIN_FLAGS);
  const env = { ...process.env, NOTIFY_SOCKET: target };
  const child = spawn(command, argv, { stdio: ["ignore", "inherit", "pipe"], env });
  const daemon = new Daemon(files, child);
  ended.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    rmSync(files.dir, { recursive: true, force: true });
  });
  return daemon;
}
