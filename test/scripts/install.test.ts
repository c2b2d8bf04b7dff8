// install.sh of an archive: what it installs where, what it does not touch, and that it removes everything it
// installed.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "../../scripts/release/pack.ts";
import { missingProgram, requirement } from "../support/container/container.ts";
import { documentBlocks } from "../support/document/blocks.ts";
import { asUser, ORDINARY_UID } from "../support/host/namespace.ts";
import { STAGED_DATE, stageSample } from "../support/program/staged-release.ts";

setDefaultTimeout(120_000);

// The archive contains licence texts from Debian's base-files.
const missing = existsSync("/usr/share/common-licenses") ? undefined : "/usr/share/common-licenses";
const installer = requirement("install.sh", missing, missingProgram("sha256sum"));

const PLACES = {
  bash: "share/bash-completion/completions/outcall",
  zsh: "share/zsh/site-functions/_outcall",
  fish: "share/fish/vendor_completions.d/outcall.fish",
} as const;

describe.skipIf(installer.skip)(installer.label, () => {
  let staged = "";
  const made: string[] = [];
  beforeAll(() => {
    staged = stageSample("archive");
    const packed = pack({ parent: staged, name: "archive", date: STAGED_DATE, level: 1 });
    rmSync(join(staged, "archive"), { recursive: true });
    expect(spawnSync("tar", ["-xzf", packed], { cwd: staged }).status).toBe(0);
  });
  afterAll(() => {
    for (const each of [staged, ...made]) rmSync(each, { recursive: true });
  });

  function newDirectory(): string {
    const directory = mkdtempSync(join(tmpdir(), "outcall-install-"));
    chmodSync(directory, 0o777);
    made.push(directory);
    return directory;
  }

  /** A copy of the archive that a test may change. */
  function copyOfArchive(): string {
    const copy = join(newDirectory(), "archive");
    cpSync(join(staged, "archive"), copy, { recursive: true });
    return copy;
  }

  function install(words: readonly string[], { archive = join(staged, "archive"), before = ["sh"] } = {}) {
    const [program = "", ...rest] = [...before, join(archive, "install.sh"), ...words];
    const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
    const done = spawnSync(program, rest, { cwd: "/", encoding: "utf8", env: environment });
    return { status: done.status, stdout: done.stdout, stderr: done.stderr };
  }

  function filesBelow(directory: string): readonly string[] {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) =>
      join(entry.parentPath, entry.name).slice(directory.length)
    ).sort();
  }

  const shells = [["sh"], ["bash", "--posix"], ["busybox", "sh"]].filter(([shell = ""]) =>
    missingProgram(shell) === undefined
  );
  test.each(shells.map((shell) => [shell.join(" "), shell] as const))(
    "%s: installs, installs again, removes",
    (_, before) => {
      const root = newDirectory();
      const words = ["--destdir", root];
      const said = install(words, { before });
      expect(said).toMatchObject({ status: 0, stderr: "" });
      const local = join(root, "usr/local");
      const files = filesBelow(root);
      expect(files.filter((path) => !path.startsWith("/usr/local/share/outcall/"))).toEqual([
        ...["outcall", "outcall-agent", "outcalld"].map((name) => `/usr/local/bin/${name}`),
        ...["systemd/system/outcalld.service", "tmpfiles.d/outcall.conf"].map((name) => `/usr/local/lib/${name}`),
        `/usr/local/${PLACES.bash}`,
        `/usr/local/${PLACES.fish}`,
        ...["man1/outcall-agent.1", "man1/outcall.1", "man8/outcalld.8"].map((name) => `/usr/local/share/man/${name}`),
        `/usr/local/${PLACES.zsh}`,
      ]);
      for (const name of ["installed", "VERSION", "LICENSE", "THIRD-PARTY-LICENSES", "examples/rules.d/40-git.yaml"]) {
        expect(files).toContain(`/usr/local/share/outcall/${name}`);
      }
      expect(statSync(join(local, "bin/outcalld")).mode & 0o777).toBe(0o755);
      expect(statSync(join(local, "share/outcall/LICENSE")).mode & 0o777).toBe(0o644);
      expect(statSync(join(root, "etc/outcall/rules.d")).isDirectory()).toBe(true);
      expect(readFileSync(join(local, "lib/systemd/system/outcalld.service"), "utf8")).toContain(
        "\nExecStart=/usr/local/bin/outcalld\n",
      );
      const list = readFileSync(join(local, "share/outcall/installed"), "utf8");

      expect(install(words, { before })).toEqual(said);
      expect(filesBelow(root)).toEqual(files);
      expect(readFileSync(join(local, "share/outcall/installed"), "utf8")).toBe(list);

      const removed = install([...words, "--uninstall"], { before });
      expect(removed).toMatchObject({ status: 0, stderr: "" });
      expect(readdirSync(root)).toEqual([]);
      expect(install([...words, "--uninstall"], { before })).toMatchObject({ status: 1, stdout: "" });
    },
  );

  test("what the operator wrote or changed is left, and named", () => {
    const root = newDirectory();
    const words = ["--destdir", root];
    mkdirSync(join(root, "etc/outcall/rules.d"), { recursive: true });
    writeFileSync(join(root, "etc/outcall/rules.d/10-mine.yaml"), "mine\n");
    install(words);
    appendFileSync(join(root, "usr/local/lib/systemd/system/outcalld.service"), "# changed\n");
    mkdirSync(join(root, "var/lib/outcall"), { recursive: true });
    const { status, stdout } = install([...words, "--uninstall"]);
    expect({ status, lines: stdout.trimEnd().split("\n") }).toEqual({
      status: 0,
      lines: [
        `kept, because it was changed: ${root}/usr/local/lib/systemd/system/outcalld.service`,
        `kept, because it is yours: ${root}/etc/outcall/rules.d`,
        `kept, because it is yours: ${root}/var/lib/outcall`,
        `removed outcall below ${root}/usr/local`,
      ],
    });
    expect(filesBelow(root)).toEqual([
      "/etc/outcall/rules.d/10-mine.yaml",
      "/usr/local/lib/systemd/system/outcalld.service",
    ]);
    expect(readFileSync(join(root, "etc/outcall/rules.d/10-mine.yaml"), "utf8")).toBe("mine\n");
  });

  test("an upgrade removes files that the new version no longer has, unless they were changed", () => {
    const root = newDirectory();
    install(["--destdir", root]);
    const share = join(root, "usr/local/share/outcall/examples/rules.d");
    appendFileSync(join(share, "20-registries.yaml"), "# changed\n");
    const archive = copyOfArchive();
    const sums = readFileSync(join(archive, "SHA256SUMS"), "utf8").split("\n");
    const kept = sums.filter((line) => !/(20-registries|60-docker)\.yaml$/.test(line));
    expect(kept.length).toBe(sums.length - 2);
    writeFileSync(join(archive, "SHA256SUMS"), kept.join("\n"));
    const { status, stdout } = install(["--destdir", root], { archive });
    expect(status).toBe(0);
    expect(stdout).toStartWith(`kept, because it was changed: ${share}/20-registries.yaml\ninstalled outcall `);
    expect(filesBelow(share)).toEqual(["/00-base.yaml", "/20-registries.yaml", "/40-git.yaml"]);
    install(["--destdir", root, "--uninstall"], { archive });
    expect(filesBelow(root)).toEqual(["/usr/local/share/outcall/examples/rules.d/20-registries.yaml"]);
  });

  const prefixes: readonly (readonly [prefix: string, unit: string])[] = [
    ["/usr", "/usr/lib/systemd/system/outcalld.service"],
    ["/usr/", "/usr/lib/systemd/system/outcalld.service"],
    ["/opt/out-call_1.0+x", "/etc/systemd/system/outcalld.service"],
  ];
  test.each(prefixes)("--prefix %s puts the unit at %s, with the program's path", (prefix, unit) => {
    const root = newDirectory();
    expect(install([`--prefix=${prefix}`, `--destdir=${root}`])).toMatchObject({ status: 0, stderr: "" });
    const text = readFileSync(join(root, unit), "utf8");
    expect(text).toContain(`\nExecStart=${prefix.replace(/\/$/, "")}/bin/outcalld\n`);
    expect(text).not.toContain("/usr/local");
    install([`--prefix=${prefix}`, `--destdir=${root}`, "--uninstall"]);
    expect(filesBelow(root)).toEqual([]);
  });

  const damages: readonly (readonly [note: string, damage: (archive: string) => void, message: string])[] = [
    [
      "a changed file",
      (archive) => appendFileSync(join(archive, "bin/outcall"), "x"),
      '"bin/outcall" does not match SHA',
    ],
    ["a missing file", (archive) => rmSync(join(archive, "LICENSE")), '"LICENSE" is missing in'],
    ["no checksums", (archive) => rmSync(join(archive, "SHA256SUMS")), "SHA256SUMS is missing next to this script"],
  ];
  test.each(damages)("an archive with %s is not installed", (_, damage, message) => {
    const root = newDirectory();
    const archive = copyOfArchive();
    damage(archive);
    const done = install(["--destdir", root], { archive });
    expect(done).toMatchObject({ status: 1, stdout: "" });
    expect(done.stderr).toContain(`install.sh: ${message}`);
    expect(filesBelow(root)).toEqual([]);
  });

  const wrong: readonly (readonly [words: readonly string[], message: string])[] = [
    [["--prefx", "/usr"], 'unknown argument "--prefx"; see --help'],
    [["--prefix"], "--prefix needs a directory; see --help"],
    [["--prefix", "usr"], 'the prefix "usr" is not an absolute path below /'],
    [["--prefix", "/"], 'the prefix "" is not an absolute path below /'],
    [["--prefix", "/usr local"], 'the prefix "/usr local" may contain only letters, digits and / . _ + -'],
    [["--prefix", "/usr|x"], 'the prefix "/usr|x" may contain only letters, digits and / . _ + -'],
    [["--prefix", "/usr/../etc"], 'the prefix "/usr/../etc" must not contain //, /./ or /../'],
    [["--destdir", "here"], 'the destdir "here" is not an absolute path'],
  ];
  test.each(wrong)("%p is refused", (words, message) => {
    expect(install(words)).toEqual({ status: 2, stdout: "", stderr: `install.sh: ${message}\n` });
  });

  test("--help names every flag", () => {
    const { status, stdout, stderr } = install(["--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const flag of ["--prefix", "--destdir", "--uninstall"]) expect(stdout).toContain(`  ${flag}`);
  });

  test("an obstacle is named, and no half-written file remains", () => {
    const root = newDirectory();
    mkdirSync(join(root, "usr/local/bin/outcall"), { recursive: true });
    const done = install(["--destdir", root]);
    expect(done).toMatchObject({ status: 1, stderr: `install.sh: "${root}/usr/local/bin/outcall" is a directory\n` });
    expect(filesBelow(root).filter((path) => path.includes(".new."))).toEqual([]);
    // The files that were already written are in the manifest, so they can be removed, also after another installation.
    expect(filesBelow(root)).toContain("/usr/local/share/outcall/installed");
    rmSync(join(root, "usr/local/bin/outcall"), { recursive: true });
    expect(install(["--destdir", root])).toMatchObject({ status: 0, stderr: "" });
    expect(install(["--destdir", root, "--uninstall"])).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(["usr", "usr/local", "usr/local/bin"]);
  });

  test("install.md has no block of commands that no test runs", () => {
    const booted = readFileSync(join(import.meta.dir, "..", "support", "host", "unit-check.sh"), "utf8");
    const left = [...documentBlocks("docs/install.md").keys()].filter((name) => !booted.includes(`/in/${name}`));
    expect(left).toEqual(["install-3.sh", "install-4.sh"]);
  });

  const [withoutRoot = "", forPackages = ""] = ["install-3.sh", "install-4.sh"].map((name) =>
    documentBlocks("docs/install.md").get(name) ?? ""
  );
  test("install.md, without root: only programs and documents, in the user's own directory", () => {
    const home = newDirectory();
    const command = [
      ...asUser(ORDINARY_UID),
      "env",
      "-i",
      `HOME=${home}`,
      "PATH=/usr/bin:/bin",
      "sh",
      "-euc",
      withoutRoot,
    ];
    const [program = "", ...words] = command;
    const done = spawnSync(program, words, { cwd: join(staged, "archive"), encoding: "utf8" });
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toContain("not run as root, so there is no systemd unit and no /etc/outcall");
    const files = filesBelow(home);
    expect(files).toContain("/.local/bin/outcalld");
    expect(files.filter((path) => /service|tmpfiles|\/etc\//.test(path))).toEqual([]);
    install(["--uninstall", "--prefix", `${home}/.local`], { before: [...asUser(ORDINARY_UID), "sh"] });
    expect(filesBelow(home)).toEqual([]);
  });

  test("install.md, a package: everything below a directory, by whomever", () => {
    const archive = copyOfArchive();
    chmodSync(archive, 0o777);
    const [program = "", ...words] = [...asUser(ORDINARY_UID), "sh", "-euc", forPackages];
    const done = spawnSync(program, words, { cwd: archive, encoding: "utf8" });
    expect(done).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(/^installed outcall .*\/package\/usr\n$/),
    });
    const files = filesBelow(join(archive, "package"));
    expect(files).toContain("/usr/lib/systemd/system/outcalld.service");
    expect(files).toContain("/usr/bin/outcall-agent");
  });
});
