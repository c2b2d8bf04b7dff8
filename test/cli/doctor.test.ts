// `outcall doctor` against a fake daemon.
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, expect, test } from "bun:test";
import type { StatusData } from "../../src/wire/host-api.ts";
import { runOutcall } from "../support/program/cli-io.ts";
import { STATUS } from "../support/program/status-data.ts";
import { jsonAnswer, type ScriptedDaemon, startDaemon } from "../support/socket/scripted-daemon.ts";

const running: ScriptedDaemon[] = [];

afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.stop();
});

async function hostSocketLine(status: StatusData, mode: number): Promise<string | undefined> {
  const daemon = await startDaemon((socket) => socket.write(jsonAnswer(200, { success: true, data: status })));
  running.push(daemon);
  chmodSync(dirname(daemon.socketPath), 0o700);
  chmodSync(daemon.socketPath, mode);
  const { stdout } = await runOutcall(["doctor", "--socket", daemon.socketPath]);
  return stdout.split("\n").find((line) => line.includes("host socket"));
}

test("the modes of the host socket are those of the running daemon", async () => {
  const withGroup = { ...STATUS, operators_group: "ops" };
  expect(await hostSocketLine(STATUS, 0o600)).toMatch(/^ok .* mode 0600$/);
  expect(await hostSocketLine(STATUS, 0o660)).toMatch(/^failed .* has mode 0660, not 0600$/);
  expect(await hostSocketLine(withGroup, 0o660)).toMatch(/^ok .* mode 0660$/);
  expect(await hostSocketLine(withGroup, 0o600)).toMatch(/^failed .* has mode 0600, not 0660$/);
});
