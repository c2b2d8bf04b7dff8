// Peers whose credentials the kernel does not provide.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identifyPeer } from "../../src/peer/accept.ts";
import { release } from "../../src/peer/pin.ts";

test("identifyPeer: the peer while the connection is open, peer.unidentified once it is closed", async () => {
  const dir = mkdtempSync(join(tmpdir(), "outcall-accept-"));
  const path = join(dir, "s.sock");
  const server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const client = connect(path);
  const socket = await accepted;
  const peer = identifyPeer(socket);
  expect(peer).toMatchObject({ ok: true, value: { credentials: { pid: process.pid, uid: process.getuid?.() ?? 0 } } });
  expect(peer.ok ? peer.value.groups : []).toBeUndefined();
  if (peer.ok) release(peer.value.process);
  const grouped = identifyPeer(socket, { groups: true });
  const groups = /^Groups:(.*)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]?.split(/\s+/).filter(Boolean);
  expect(grouped.ok ? grouped.value.groups : null).toEqual(groups?.map(Number));
  if (grouped.ok) release(grouped.value.process);
  socket.destroy();
  expect(identifyPeer(socket)).toMatchObject({ ok: false, error: { code: "peer.unidentified" } });
  client.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  rmSync(dir, { recursive: true });
});
