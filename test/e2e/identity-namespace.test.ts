// Identification of peers with real processes: on the host, in PID namespaces created by root and by an ordinary user,
// and on connections whose original process has ended. Server and clients are separate programs.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKIN_REJECTED } from "../../src/peer/rejection.ts";
import {
  BUN,
  CLIENT,
  DENO,
  missingProgram,
  missingRoot,
  requirement,
  startServer,
  Talker,
} from "../support/container/container.ts";
import {
  asUser,
  enterArgv,
  firstPidOf,
  missingUserNamespaces,
  ORDINARY_UID,
  startInNamespace,
  unshareArgv,
} from "../support/host/namespace.ts";

const REFUSED = { code: "container.unknown", message: CHECKIN_REJECTED };
const OPTIONS = { containers: "namespace" };

let dir = "";
let socketPath = "";
let started: Talker[] = [];

function keep(talker: Talker): Talker {
  started.push(talker);
  return talker;
}

function client(mode = "ask"): readonly string[] {
  return [BUN, CLIENT, mode, socketPath];
}

// Connects, leaves the connection to a child, and prints a line after the connecting process was reaped.
function handingDown(): readonly string[] {
  return ["sh", "-c", `${client("hand-down").join(" ")}; echo exited; exec sleep 1000`];
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "outcall-identity-"));
  chmodSync(dir, 0o777);
  socketPath = join(dir, "agent.sock");
});

afterEach(async () => {
  for (const talker of started.reverse()) await talker.stop();
  started = [];
  rmSync(socketPath, { force: true });
});

afterAll(() => rmSync(dir, { recursive: true }));

describe("identity on the host", () => {
  test("a host process is refused, and the answer does not name its pid", async () => {
    keep(await startServer(socketPath, OPTIONS));
    const host = keep(new Talker(client()));
    const answer = await host.ask();
    expect(answer.ok).toBe(false);
    expect(answer.error).toMatchObject(REFUSED);
    expect(answer.error?.message).not.toContain(String(host.process.pid));
  });

  test("a host process is refused by a server under deno, which identifies it the same", async () => {
    keep(await startServer(socketPath, OPTIONS, { runtime: DENO }));
    const host = keep(new Talker(client()));
    const answer = await host.ask();
    expect(answer.error).toMatchObject(REFUSED);
    expect(answer.pid).toBe(host.process.pid ?? 0);
    expect(answer.alive).toBe(true);
  });
});

const root = requirement("identity by pid namespace, as root", missingRoot(), missingProgram("unshare"));
describe.skipIf(root.skip)(root.label, () => {
  test("a process in a namespace is known, again as the same, and one in another is another", async () => {
    keep(await startServer(socketPath, OPTIONS));
    const first = keep(startInNamespace(client()));
    const second = keep(startInNamespace(client()));
    const answer = await first.ask();
    expect(answer.ok).toBe(true);
    expect(answer.value?.id).toMatch(/^ns-\d+-\d+$/);
    expect(answer.value?.shortId).toMatch(/^ctr-[0-9a-f]{12}$/);
    expect(answer.value?.name).toBe(answer.value?.shortId ?? "");
    expect((await first.ask()).value).toEqual(answer.value);
    const other = await second.ask();
    expect(other.ok).toBe(true);
    expect(other.value?.id).not.toBe(answer.value?.id ?? "");
    expect(other.value?.shortId).not.toBe(answer.value?.shortId ?? "");
  });

  test("processes that entered a namespace, or made one within it, are of the outermost", async () => {
    keep(await startServer(socketPath, OPTIONS));
    const first = keep(startInNamespace(client()));
    const known = await first.ask();
    const pid = firstPidOf(first);
    const entered = keep(new Talker(enterArgv(pid, client())));
    const nested = keep(new Talker(enterArgv(pid, unshareArgv(client()))));
    expect(known.value?.id).toStartWith(`ns-${readlinkSync(`/proc/${pid}/ns/pid`).replace(/\D/g, "")}-`);
    expect((await entered.ask()).value).toEqual(known.value);
    expect((await nested.ask()).value).toEqual(known.value);
  });

  test("a server under deno knows the same containers, and refuses a connector that has exited", async () => {
    keep(await startServer(socketPath, OPTIONS, { runtime: DENO }));
    const container = keep(startInNamespace(client()));
    const answer = await container.ask();
    expect(answer.value?.id).toStartWith(
      `ns-${readlinkSync(`/proc/${firstPidOf(container)}/ns/pid`).replace(/\D/g, "")}-`,
    );
    const connector = keep(startInNamespace(handingDown()));
    expect(await connector.hear()).toBe("exited");
    const refused = await connector.ask();
    expect(refused.alive).toBe(false);
    expect(refused.error).toMatchObject(REFUSED);
  });

  test("the end of a container is reported, and its peers are no longer identified", async () => {
    const server = keep(await startServer(socketPath, OPTIONS));
    const container = keep(startInNamespace(client()));
    const known = await container.ask();
    await container.stop();
    expect(await server.hear()).toBe(`gone ${known.value?.id}`);
  });

  test("a connection whose connector has exited is refused", async () => {
    keep(await startServer(socketPath, OPTIONS));
    const connector = keep(startInNamespace(handingDown()));
    expect(await connector.hear()).toBe("exited");
    const answer = await connector.ask();
    // Refused at accept if the connecting process had already ended, otherwise at the request; never identified.
    expect(answer.ok).toBe(false);
    expect(answer.alive ?? false).toBe(false);
    expect(answer.error).toMatchObject(REFUSED);
  });

  test("a connector that exited before it was accepted is refused", async () => {
    const server = keep(await startServer(socketPath, OPTIONS));
    server.process.kill("SIGSTOP");
    const connector = keep(startInNamespace(handingDown()));
    expect(await connector.hear()).toBe("exited");
    connector.say("ask");
    server.process.kill("SIGCONT");
    expect(await server.hear()).toBe("unidentified container.unknown");
    expect(JSON.parse(await connector.hear() ?? "{}")).toMatchObject({ ok: false, error: REFUSED });
  });
});

const ordinary = requirement("identity by pid namespace, as an ordinary user", missingUserNamespaces());
describe.skipIf(ordinary.skip)(ordinary.label, () => {
  test("the user's daemon knows the user's containers, as root of their own and nested", async () => {
    keep(await startServer(socketPath, OPTIONS, { before: asUser(ORDINARY_UID) }));
    const first = keep(startInNamespace(client(), { uid: ORDINARY_UID }));
    const nested = keep(startInNamespace(unshareArgv(client()), { uid: ORDINARY_UID }));
    const answer = await first.ask();
    expect(answer.value?.id).toMatch(/^ns-\d+-\d+$/);
    expect((await first.ask()).value).toEqual(answer.value);
    const other = await nested.ask();
    expect(other.value?.id).toMatch(/^ns-\d+-\d+$/);
    expect(other.value?.id).not.toBe(answer.value?.id ?? "");
  });

  test("the user's daemon refuses the user's own processes of the host", async () => {
    keep(await startServer(socketPath, OPTIONS, { before: asUser(ORDINARY_UID) }));
    const host = keep(new Talker([...asUser(ORDINARY_UID), ...client()]));
    expect((await host.ask()).error).toMatchObject(REFUSED);
  });
});

const both = requirement("identity by pid namespace, across users", missingRoot(), missingUserNamespaces());
describe.skipIf(both.skip)(both.label, () => {
  test("an ordinary user's daemon refuses root's containers, because it cannot inspect them", async () => {
    keep(await startServer(socketPath, OPTIONS, { before: asUser(ORDINARY_UID) }));
    const roots = keep(startInNamespace(client()));
    expect((await roots.ask()).error).toMatchObject(REFUSED);
  });

  test("root's daemon knows the user's containers", async () => {
    keep(await startServer(socketPath, OPTIONS));
    const users = keep(startInNamespace(client(), { uid: ORDINARY_UID }));
    expect((await users.ask()).value?.id).toMatch(/^ns-\d+-\d+$/);
  });
});
