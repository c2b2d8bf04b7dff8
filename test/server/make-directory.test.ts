// makeDirectory(): what it creates, and what it does not change.
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDirectory } from "../../src/server/make-directory.ts";

const GID = process.getgid?.() ?? 0;
const dirs: string[] = [];
afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

function place(): { readonly dir: string; readonly socketPath: string } {
  const above = mkdtempSync(join(tmpdir(), "outcall-make-"));
  dirs.push(above);
  const dir = join(above, "host");
  return { dir, socketPath: join(dir, "host.sock") };
}

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("makeDirectory", () => {
  test("makes one with the mode, whatever the umask takes away from a group", () => {
    const { dir, socketPath } = place();
    const before = process.umask(0o077);
    const made = makeDirectory({ socketPath, mode: 0o750, gid: GID });
    process.umask(before);
    expect(made).toEqual({ ok: true, value: null });
    expect([modeOf(dir), statSync(dir).gid]).toEqual([0o750, GID]);
  });

  test("does not change an existing directory if no group needs access", () => {
    const { dir, socketPath } = place();
    mkdirSync(dir, { mode: 0o711 });
    expect(makeDirectory({ socketPath, mode: 0o700, gid: null }).ok).toBe(true);
    expect(modeOf(dir)).toBe(0o711);
  });

  test("gives the group access to a directory that is empty or contains only the socket", () => {
    for (const names of [[], ["host.sock"]]) {
      const { dir, socketPath } = place();
      mkdirSync(dir, { mode: 0o700 });
      for (const name of names) writeFileSync(join(dir, name), "");
      expect(makeDirectory({ socketPath, mode: 0o750, gid: GID }).ok).toBe(true);
      expect(modeOf(dir)).toBe(0o750);
    }
  });

  test("does not change a directory that contains other files, or is reached through a link", () => {
    const { dir, socketPath } = place();
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(join(dir, "other"), "");
    expect(makeDirectory({ socketPath, mode: 0o750, gid: GID }).ok).toBe(true);
    expect(modeOf(dir)).toBe(0o700);
    rmSync(join(dir, "other"));
    chmodSync(dir, 0o700);
    const link = `${dir}-link`;
    symlinkSync(dir, link);
    expect(makeDirectory({ socketPath: join(link, "host.sock"), mode: 0o750, gid: GID }).ok).toBe(true);
    expect(modeOf(dir)).toBe(0o700);
  });

  test("daemon.socket-bind: sockets that cannot be created", () => {
    const { socketPath } = place();
    const made = makeDirectory({ socketPath: join(socketPath, "a", "b.sock"), mode: 0o700, gid: null });
    expect(made).toMatchObject({ ok: false, error: { code: "daemon.socket-bind" } });
  });
});
