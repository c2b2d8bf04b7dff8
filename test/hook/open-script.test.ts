import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { openScript } from "../../src/hook/open-script.ts";
import { runHook } from "../../src/hook/run-hook.ts";
import { ScriptDir } from "../support/rule/hook.ts";

const SCRIPT = `#!/bin/sh\necho '{"from": "script"}'\n`;
const isRoot = process.getuid?.() === 0;

// The open descriptors, by number and file. Other code may close some meanwhile, so tests look only for new ones.
function openDescriptors(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    const path = `/proc/self/fd/${fd}`;
    // The descriptor that listed the directory is closed by now.
    return existsSync(path) ? [`${fd} ${readlinkSync(path)}`] : [];
  });
}

function openedSince(before: readonly string[]): readonly string[] {
  return openDescriptors().filter((each) => !before.includes(each));
}

describe("openScript opens what only root and the daemon's user may write", () => {
  const cases: readonly { note: string; script: string; prepare: (dir: ScriptDir) => void }[] = [
    { note: "in the directory", script: "a.sh", prepare: (dir) => dir.write("a.sh", SCRIPT) },
    { note: "named by the directory", script: "./a.sh", prepare: (dir) => dir.write("a.sh", SCRIPT) },
    { note: "with a name of many kinds", script: "a b\nü.sh", prepare: (dir) => dir.write("a b\nü.sh", SCRIPT) },
    {
      note: "deeper",
      script: "sub/deep/a.sh",
      prepare: (dir) => {
        mkdirSync(join(dir.path, "sub/deep"), { recursive: true, mode: 0o755 });
        dir.write("sub/deep/a.sh", SCRIPT);
      },
    },
  ];
  for (const { note, script, prepare } of cases) {
    test(note, () => {
      using dir = new ScriptDir();
      prepare(dir);
      const before = openDescriptors();
      const opened = openScript(dir.path, script);
      expect(opened.ok).toBe(true);
      if (!opened.ok) return;
      expect(readFileSync(opened.value, "utf8")).toBe(SCRIPT);
      closeSync(opened.value);
      expect(openedSince(before)).toEqual([]);
    });
  }

  test("below a rules directory that is a link itself", () => {
    using dir = new ScriptDir();
    mkdirSync(join(dir.path, "real"));
    dir.write("real/a.sh", SCRIPT);
    symlinkSync("real", join(dir.path, "link"));
    const opened = openScript(join(dir.path, "link"), "a.sh");
    expect(opened.ok).toBe(true);
    if (opened.ok) closeSync(opened.value);
  });
});

describe("openScript refuses everything else, and keeps no descriptor", () => {
  type Refused = { note: string; script?: string; prepare: (dir: ScriptDir) => void; error: string; root?: true };
  const cases: readonly Refused[] = [
    { note: "nothing there", prepare: () => {}, error: "does not exist" },
    { note: "a directory that is not there", script: "no/a.sh", prepare: () => {}, error: "does not exist" },
    {
      note: "a file in a directory's place",
      script: "file/a.sh",
      prepare: (dir) => dir.write("file", SCRIPT),
      error: "does not exist",
    },
    { note: "not executable", prepare: (dir) => dir.write("a.sh", SCRIPT, 0o644), error: "is not executable" },
    { note: "a directory", prepare: (dir) => mkdirSync(join(dir.path, "a.sh")), error: "is not a regular file" },
    {
      note: "a FIFO",
      prepare: (dir) => execFileSync("mkfifo", ["-m", "700", join(dir.path, "a.sh")]),
      error: "is not a regular file",
    },
    {
      note: "a symbolic link to a good script",
      prepare: (dir) => {
        dir.write("good.sh", SCRIPT);
        symlinkSync("good.sh", join(dir.path, "a.sh"));
      },
      error: "goes through a symbolic link",
    },
    {
      note: "a symbolic link to nothing",
      prepare: (dir) => symlinkSync("nothing", join(dir.path, "a.sh")),
      error: "goes through a symbolic link",
    },
    {
      note: "a symbolic link on the way",
      script: "link/a.sh",
      prepare: (dir) => {
        mkdirSync(join(dir.path, "real"));
        dir.write("real/a.sh", SCRIPT);
        symlinkSync("real", join(dir.path, "link"));
      },
      error: "goes through a symbolic link",
    },
    { note: "the parent", script: "../a.sh", prepare: () => {}, error: "leaves the rules directory" },
    {
      note: "the parent on the way, even if it comes back",
      script: "sub/../a.sh",
      prepare: (dir) => dir.write("a.sh", SCRIPT),
      error: "leaves the rules directory",
    },
    { note: "an absolute path", script: "/bin/true", prepare: () => {}, error: "leaves the rules directory" },
    { note: "the directory itself", script: ".", prepare: () => {}, error: "is not a regular file" },
    {
      note: "writable by the group",
      prepare: (dir) => chmodSync(dir.write("a.sh", SCRIPT), 0o775),
      error: "may be written by group or others",
    },
    {
      note: "writable by others",
      prepare: (dir) => chmodSync(dir.write("a.sh", SCRIPT), 0o757),
      error: "may be written by group or others",
    },
    {
      note: "in a directory that others may write",
      script: "sub/a.sh",
      prepare: (dir) => {
        mkdirSync(join(dir.path, "sub"));
        dir.write("sub/a.sh", SCRIPT);
        chmodSync(join(dir.path, "sub"), 0o777);
      },
      error: "is in a directory that may be written by group or others",
    },
    {
      note: "another user's",
      prepare: (dir) => chownSync(dir.write("a.sh", SCRIPT), 12_345, 0),
      error: "is owned by uid 12345, not by root or the daemon's user",
      root: true,
    },
  ];
  for (const { note, script = "a.sh", prepare, error, root = false } of cases) {
    test.skipIf(root && !isRoot)(note, () => {
      using dir = new ScriptDir();
      prepare(dir);
      const before = openDescriptors();
      expect(openScript(dir.path, script)).toEqual({ ok: false, error: `script "${script}" ${error}` });
      expect(openedSince(before)).toEqual([]);
    });
  }

  test("a path with a NUL", () => {
    using dir = new ScriptDir();
    dir.write("a.sh", SCRIPT);
    const opened = openScript(dir.path, "a.sh\0");
    expect(opened.ok ? "" : opened.error).toStartWith(`script "a.sh\\u{0}" cannot be opened: `);
  });

  test("a rules directory that is gone", () => {
    const error = `rules directory "/no/such" does not exist`;
    expect(openScript("/no/such", "a.sh")).toEqual({ ok: false, error });
  });
});

describe("a script that is replaced", () => {
  const run = (dir: ScriptDir) => {
    return runHook({ dir: dir.path, script: "a.sh", ruleId: "r", timeoutMs: 60_000, input: {} });
  };

  test("before a run is checked again", async () => {
    using dir = new ScriptDir();
    dir.write("a.sh", SCRIPT);
    expect(await run(dir)).toEqual({ ok: true, value: { from: "script" } });
    dir.write("other.sh", `#!/bin/sh\necho '{"from": "other"}'\n`);
    renameSync(join(dir.path, "other.sh"), join(dir.path, "a.sh"));
    expect(await run(dir)).toEqual({ ok: true, value: { from: "other" } });
    symlinkSync("/bin/true", join(dir.path, "link"));
    renameSync(join(dir.path, "link"), join(dir.path, "a.sh"));
    expect(await run(dir)).toEqual({ ok: false, error: `script "a.sh" goes through a symbolic link` });
  });

  test("while it runs changes nothing of what runs", async () => {
    using dir = new ScriptDir();
    execFileSync("mkfifo", [join(dir.path, "go")]);
    // The shell reads its own script again only after the file was replaced.
    dir.write(
      "a.sh",
      `#!/bin/sh\n[ -z "$again" ] || { echo '{"from": "script"}'; exit; }\nread -r x < go\nagain=1 exec sh "$0"\n`,
    );
    const running = run(dir);
    dir.write("other.sh", `#!/bin/sh\necho '{"from": "other"}'\n`);
    renameSync(join(dir.path, "other.sh"), join(dir.path, "a.sh"));
    execFileSync("sh", ["-c", "echo > go"], { cwd: dir.path });
    expect(await running).toEqual({ ok: true, value: { from: "script" } });
  });
});
