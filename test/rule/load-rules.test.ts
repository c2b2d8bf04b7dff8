// Loading a rules directory: which files are read, which are refused with which message, and the limits.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
  FILES_LIMIT,
  type Loaded,
  type LoadOptions,
  loadRuleFiles,
  loadRules,
  TOTAL_SIZE_LIMIT,
} from "../../src/rule/load-rules.ts";
import { OPERATOR_LIMITS } from "../../src/rule/parse-rule-file.ts";
import { line, rules } from "../support/rule/findings.ts";

const RULE = rules('id: r, condition: dns.query == "x", action: allow');

let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "load-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function write(name: string, text = RULE, mode = 0o644): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function load(trust: LoadOptions["trust"] = "owner", at = dir): Loaded {
  return loadRules({ dir: at, trust });
}

function errors(loaded: Loaded): readonly string[] {
  return loaded.findings.filter(({ severity }) => severity === "error").map((finding) =>
    line(finding).replaceAll(dir, "<dir>")
  );
}

describe("loadRules", () => {
  test("reads files that end in .yaml and lie in the directory itself, hidden ones too", () => {
    write("a.yaml");
    write(".b.yaml", rules("id: s, condition: 'false', action: block"));
    for (const name of ["c.yml", "d.YAML", "e.yaml~", "f.yaml.bak", "yaml", "README"]) write(name, "]");
    mkdirSync(join(dir, "sub"));
    writeFileSync(join(dir, "sub", "g.yaml"), "]");
    const loaded = load();
    expect(loaded.set?.rules.map(({ id, file }) => `${file} ${id}`)).toEqual([".b.yaml s", "a.yaml r"]);
    expect({ files: loaded.files, rules: loaded.rules }).toEqual({ files: 2, rules: 2 });
    expect([...loaded.sources.keys()]).toEqual([".b.yaml", "a.yaml"]);
    expect(loaded.sources.get("a.yaml")).toBe(RULE);
  });

  test("an empty directory is a set that blocks, with a warning", () => {
    write("a.yml");
    const loaded = load();
    expect(loaded.set?.rules).toEqual([]);
    expect(loaded.findings.map((finding) => line(finding).replaceAll(dir, "<dir>"))).toEqual([
      '<dir>:1:1-1:1 warning rule.empty no rule files in "<dir>": every request is blocked',
    ]);
  });

  test("a directory that does not exist is named", () => {
    const loaded = load("none", join(dir, "nope"));
    expect(loaded.set).toBeNull();
    expect(errors(loaded)).toEqual([
      '<dir>/nope:1:1-1:1 error rule.file cannot read rules directory "<dir>/nope": it does not exist',
    ]);
  });

  test("a file is no directory", () => {
    const path = write("a.yaml");
    expect(errors(load("none", path))).toEqual([
      '<dir>/a.yaml:1:1-1:1 error rule.file cannot read rules directory "<dir>/a.yaml": it is not a directory',
    ]);
  });

  test("a link to a directory, as an atomic swap makes it, is followed", () => {
    mkdirSync(join(dir, "one"));
    writeFileSync(join(dir, "one", "a.yaml"), RULE);
    symlinkSync("one", join(dir, "live"));
    expect(load("owner", join(dir, "live")).set?.rules.length).toBe(1);
  });
});

describe("what is no regular file", () => {
  const kinds: readonly (readonly [note: string, make: (path: string) => unknown, reason: string])[] = [
    ["a directory", (path) => mkdirSync(path), "is not a regular file"],
    ["a FIFO without a writer", (path) => spawnSync("mkfifo", [path]), "is not a regular file"],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), "is not a regular file"],
    ["a link to a directory", (path) => symlinkSync("/", path), "is not a regular file"],
  ];
  for (const [note, make, reason] of kinds) {
    test(`${note}: refused, by itself and behind a link`, () => {
      make(join(dir, "a.yaml"));
      symlinkSync("a.yaml", join(dir, "b.yaml"));
      write("c.yaml");
      for (const trust of ["owner", "none"] as const) {
        const loaded = load(trust);
        expect(loaded.set).toBeNull();
        expect(errors(loaded)).toEqual([
          `a.yaml:1:1-1:1 error rule.file "<dir>/a.yaml" ${reason}`,
          `b.yaml:1:1-1:1 error rule.file "<dir>/b.yaml" ${reason}`,
        ]);
        // The file counts, and its readable parts are still analysed.
        expect({ files: loaded.files, rules: loaded.rules }).toEqual({ files: 3, rules: 1 });
      }
    });
  }

  test("a link to nothing, and one to itself", () => {
    symlinkSync("nope", join(dir, "a.yaml"));
    symlinkSync("b.yaml", join(dir, "b.yaml"));
    expect(errors(load())).toEqual([
      'a.yaml:1:1-1:1 error rule.file cannot read "<dir>/a.yaml": it does not exist',
      'b.yaml:1:1-1:1 error rule.file cannot read "<dir>/b.yaml": ELOOP',
    ]);
  });

  test("a socket", async () => {
    const server = createServer().listen(join(dir, "a.yaml"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(errors(load())).toEqual(['a.yaml:1:1-1:1 error rule.file cannot read "<dir>/a.yaml": ENXIO']);
    server.close();
  });

  test("a link to a regular file is read under its own name, wherever that file is", () => {
    mkdirSync(join(dir, "elsewhere"));
    writeFileSync(join(dir, "elsewhere", "x.txt"), RULE);
    symlinkSync("elsewhere/x.txt", join(dir, "a.yaml"));
    expect(load().set?.rules.map(({ file }) => file)).toEqual(["a.yaml"]);
  });
});

describe("what others may write", () => {
  const OTHERS = "may be written by group or others";
  const modes: readonly (readonly [mode: number, refused: boolean])[] = [
    [0o600, false],
    [0o644, false],
    [0o755, false],
    [0o664, true],
    [0o646, true],
    [0o620, true],
  ];
  for (const [mode, refused] of modes) {
    const shown = mode.toString(8);
    test(`a file of mode ${shown}: ${refused ? "refused" : "read"} by a daemon, read by lint`, () => {
      write("a.yaml", RULE, mode);
      expect(errors(load("owner"))).toEqual(
        refused ? [`a.yaml:1:1-1:1 error rule.file "<dir>/a.yaml" ${OTHERS} (mode ${shown})`] : [],
      );
      expect(errors(load("none"))).toEqual([]);
    });
  }

  test("the target of a link is what counts", () => {
    mkdirSync(join(dir, "elsewhere"));
    writeFileSync(join(dir, "elsewhere", "x"), RULE);
    chmodSync(join(dir, "elsewhere", "x"), 0o666);
    symlinkSync("elsewhere/x", join(dir, "a.yaml"));
    expect(errors(load())).toEqual([`a.yaml:1:1-1:1 error rule.file "<dir>/a.yaml" ${OTHERS} (mode 666)`]);
  });

  test("the directory: nothing of it is read", () => {
    write("a.yaml", "]");
    for (const mode of [0o775, 0o757, 0o1777]) {
      chmodSync(dir, mode);
      expect(errors(load("owner"))).toEqual([
        `<dir>:1:1-1:1 error rule.file rules directory "<dir>" ${OTHERS} (mode ${mode.toString(8)})`,
      ]);
    }
    expect(errors(load("none"))).toEqual([expect.stringContaining("rule.yaml")]);
  });

  test.skipIf(process.getuid?.() !== 0)("a file and a directory of another user", () => {
    chownSync(write("a.yaml"), 1234, 0);
    expect(errors(load())).toEqual([
      'a.yaml:1:1-1:1 error rule.file "<dir>/a.yaml" is owned by uid 1234, not by root or the daemon\'s user',
    ]);
    expect(errors(load("none"))).toEqual([]);
    chownSync(dir, 1234, 0);
    expect(errors(load())).toEqual([
      '<dir>:1:1-1:1 error rule.file rules directory "<dir>" is owned by uid 1234, not by root or the daemon\'s user',
    ]);
  });

  test("a file that may not be read is named", () => {
    write("a.yaml", RULE, 0o000);
    write("b.yaml");
    chmodSync(dir, 0o755);
    // Root can read every file, so the process changes its user for this test.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(errors(load("none"))).toEqual([
        'a.yaml:1:1-1:1 error rule.file cannot read "<dir>/a.yaml": permission denied',
      ]);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});

describe("sizes", () => {
  const padded = (size: number, from = 'version: "1"\n'): string => `${from}#${"x".repeat(size - from.length - 2)}\n`;

  test("a file: 2 MiB", () => {
    expect(OPERATOR_LIMITS.sizeBytes).toBe(2 * 1024 * 1024);
    write("a.yaml", padded(OPERATOR_LIMITS.sizeBytes));
    expect(errors(load())).toEqual([]);
    write("a.yaml", padded(OPERATOR_LIMITS.sizeBytes + 1));
    expect(errors(load())).toEqual([expect.stringContaining("a.yaml:1:1-1:1 error rule.limit")]);
  });

  test("a file far beyond is refused without being read whole", () => {
    const path = write("a.yaml", "x");
    spawnSync("truncate", ["-s", "64G", path]);
    expect(errors(load())).toEqual([expect.stringContaining("a.yaml:1:1-1:1 error rule.limit")]);
  });

  test("all files: 16 MiB", () => {
    expect(TOTAL_SIZE_LIMIT).toBe(16 * 1024 * 1024);
    const files = TOTAL_SIZE_LIMIT / OPERATOR_LIMITS.sizeBytes;
    for (let at = 0; at < files; at++) write(`${at}.yaml`, padded(OPERATOR_LIMITS.sizeBytes));
    expect(errors(load())).toEqual([]);
    write("z.yaml", "#");
    expect(errors(load())).toEqual(["z.yaml:1:1-1:1 error rule.limit rule files are over 16 MiB in all"]);
  });

  test("files: 1,024", () => {
    expect(FILES_LIMIT).toBe(1_024);
    for (let at = 0; at < FILES_LIMIT; at++) write(`${at}.yaml`, 'version: "1"\n');
    expect(load().files).toBe(FILES_LIMIT);
    expect(errors(load())).toEqual([]);
    write("z.yaml", 'version: "1"\n');
    expect(errors(load())).toEqual(["<dir>:1:1-1:1 error rule.limit 1025 rule files, at most 1024 are allowed"]);
  });
});

describe("loadRuleFiles", () => {
  test("takes texts and bytes alike, and looks at no hooks without a directory", () => {
    const text = rules("id: r, condition: 'true', action: enrich, enrich: {script: ../../etc/passwd}");
    for (const given of [text, new TextEncoder().encode(text)]) {
      const loaded = loadRuleFiles([{ name: "request", text: given }]);
      expect(loaded.findings.map(({ code }) => code)).toEqual(["rule.constant", "rule.hook-timeout"]);
      expect(loaded.sources.get("request")).toBe(text);
    }
  });

  test("an agent's text is held to an agent's limits", () => {
    const text = `version: "1"\n#${"x".repeat(64 * 1024)}\n`;
    expect(loadRuleFiles([{ name: "request", text }]).set).not.toBeNull();
    expect(errors(loadRuleFiles([{ name: "request", text }], { agent: true }))).toEqual([
      expect.stringContaining("request:1:1-1:1 error rule.limit"),
    ]);
  });
});

test("a swap of the directory by its link is one step", () => {
  for (const name of ["one", "two"]) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, `${name}.yaml`), rules(`id: ${name}, condition: 'true', action: block`));
  }
  symlinkSync("one", join(dir, "live"));
  expect(load("owner", join(dir, "live")).set?.rules.map(({ id }) => id)).toEqual(["one"]);
  symlinkSync("two", join(dir, "next"));
  renameSync(join(dir, "next"), join(dir, "live"));
  expect(load("owner", join(dir, "live")).set?.rules.map(({ id }) => id)).toEqual(["two"]);
});

test("no descriptor is left open, whatever comes of a load", () => {
  const open = (): number => readdirSync("/proc/self/fd").length;
  write("a.yaml");
  symlinkSync("nope", join(dir, "b.yaml"));
  mkdirSync(join(dir, "c.yaml"));
  const before = open();
  for (const at of [dir, join(dir, "nope"), join(dir, "a.yaml")]) load("owner", at);
  chmodSync(dir, 0o777);
  load("owner");
  expect(open()).toBe(before);
});
