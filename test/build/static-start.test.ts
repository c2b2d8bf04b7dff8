// How a static program starts before its runtime runs, and what it restores when it executes another program.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { hostMachine } from "../../scripts/static-relink/machine.ts";
import { findStaticLibc } from "../../scripts/static-relink/toolchain.ts";
import { buildSample } from "./sample-build.ts";

// Compiling and linking takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const canLinkStatically = findStaticLibc(hostMachine()) !== undefined;
const NAMESPACES = userInfo().uid === 0 ? [] : ["--user", "--map-root-user"];
const canIsolate = spawnSync("unshare", [...NAMESPACES, "chroot", "/", "true"]).status === 0;

// Does what no shell can do: starts a program with arbitrary environment entries and with two blocked signals.
const START_WITH = `#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int i = 1;
  while (strcmp(argv[i], "--") != 0) i++;
  argv[i] = NULL;
  return execve(argv[1], argv + 1, argv + i + 1);
}`;
// Settings that the build adds to the environment of the runtime; none of them may reach the next program.
const SETTINGS = { WITH_SETTING: "own", KEPT_SETTING: "own too" };

const BLOCKING = `#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  return execv(argv[1], argv + 1);
}`;

describe.skipIf(!canLinkStatically)("the start of a static program", () => {
  let directory = "";
  const path = (name: string) => join(directory, name);
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "static-start-"));
    compile("start-with", START_WITH);
    compile("blocking", BLOCKING);
    buildSample(path("open"), "static");
    buildSample(path("keep"), "static", { variables: { kind: "keep", names: ["KEPT", "WITH_*"] } });
    buildSample(path("drop"), "static", {
      variables: { kind: "drop", names: ["GONE", "WITH_*"] },
      settings: Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`),
      quietAbort: true,
    });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function compile(name: string, text: string): void {
    const done = spawnSync(hostMachine().compiler, ["-x", "c", "-", "-o", path(name)], {
      input: text,
      encoding: "utf8",
    });
    expect(done.stderr).toBe("");
  }

  /** Runs a line of bash with the program as `$0`; the line sets limits, closes streams and so on. */
  function run(name: string, line: string, env: Readonly<Record<string, string>> = {}) {
    const done = spawnSync("/bin/bash", ["--norc", "-c", line, path(name)], { encoding: "utf8", env: { ...env } });
    return { status: done.status, stdout: done.stdout, stderr: done.stderr };
  }

  const VARIABLES = {
    A: "1",
    KEPT: "k",
    KEPT_NOT: "n",
    kept: "in the other case",
    GONE: "g",
    GONE_NOT: "n",
    WITH_: "none",
    with_x: "x",
    WITHOUT: "w",
    Z: "",
  };
  const seen: readonly [name: string, sees: readonly string[]][] = [
    ["open", Object.keys(VARIABLES)],
    ["keep", ["KEPT", "kept", "WITH_", "with_x"]],
    ["drop", ["A", "KEPT", "KEPT_NOT", "kept", "GONE_NOT", "WITHOUT", "Z"]],
  ];
  test.each(seen)("variables that the runtime of %p sees", (name, sees) => {
    const done = spawnSync(path(name), ["variables"], { encoding: "utf8", env: VARIABLES });
    expect(done.stderr).toBe("");
    const own = name === "drop" ? Object.entries(SETTINGS) : [];
    const wanted = [...Object.entries(VARIABLES).filter(([variable]) => sees.includes(variable)), ...own];
    expect(Object.entries(JSON.parse(done.stdout)).sort()).toEqual(wanted.sort());
  });

  test("the next program gets every environment entry unchanged and in order, even malformed and duplicate ones", () => {
    const entries = ["KEPT=1", "9=nine", "GONE=g", "1=one", "GONE=again", "no-variable", "=", "B=\u00ff", "A="];
    const words = entries.map((entry) => `$'${entry.replace("\u00ff", "\\xff")}'`).join(" ");
    const line = `exec "$HELPER" "$0" become /bin/cat /proc/self/environ -- ${words}`;
    for (const name of ["open", "keep", "drop"]) {
      const done = spawnSync("/bin/bash", ["--norc", "-c", line, path(name)], { env: { HELPER: path("start-with") } });
      expect(done.stdout.toString("latin1").split("\0").slice(0, -1)).toEqual(entries);
    }
    const none = spawnSync("/bin/bash", [
      "-c",
      `exec "$HELPER" "$0" become /bin/cat /proc/self/environ --`,
      path("drop"),
    ], {
      env: { HELPER: path("start-with") },
    });
    expect({ status: none.status, stdout: none.stdout.toString() }).toEqual({ status: 0, stdout: "" });
  });

  // Tests each descriptor by name, because listing the directory would open another one.
  const listTo = (out: number) => `for fd in {0..99}; do [ ! -e /proc/$$/fd/$fd ] || echo $fd >&${out}; done`;
  const become = 'exec "$0" become /bin/bash --norc -c';
  const given: readonly [note: string, line: string, stdout: string][] = [
    [
      "limits",
      `ulimit -Sn 50; ulimit -Ss 600; ulimit -Sv 900000; ${become} 'ulimit -Sn; ulimit -Ss; ulimit -Sv'`,
      "50\n600\n900000\n",
    ],
    [
      "limits too low for the runtime",
      `ulimit -Sn 9; ulimit -Ss 300; ulimit -Sv 300000; ulimit -Sd 300000; ${become} 'ulimit -Sn; ulimit -Ss; ulimit -Sv; ulimit -Sd'`,
      "9\n300\n300000\n300000\n",
    ],
    [
      "ignored signals",
      `trap '' PIPE HUP USR1; ${become} 'grep SigIgn /proc/$$/status'`,
      "SigIgn:\t0000000000001201\n",
    ],
    [
      "signals at their default",
      `${become} 'grep -E "Sig(Ign|Blk)" /proc/$$/status'`,
      "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n",
    ],
    ["blocked signals", `"$BLOCK" ${become.slice(5)} 'grep SigBlk /proc/$$/status'`, "SigBlk:\t0000000000000a00\n"],
    [
      "descriptors",
      `exec 3<<<three 77<<<more 1023<<<last; ${become} 'cat <&3; cat <&77; cat <&1023'`,
      "three\nmore\nlast\n",
    ],
    ["closed streams", `exec 4>&1 <&- >&- 2>&-; ${become} '${listTo(4)}'`, "4\n"],
    ["standard streams alone", `${become} '${listTo(1)}'`, "0\n1\n2\n"],
  ];
  test.each(given)("the next program gets what the program was given: %s", (_note, line, stdout) => {
    expect(run("drop", line, { BLOCK: path("blocking") })).toEqual({ status: 0, stdout, stderr: "" });
  });

  const lacking: readonly [line: string, message: string][] = [
    ["ulimit -n 15", "cannot start: 16 open files are needed, the limit is 15"],
    ["ulimit -s 511", "cannot start: 524288 bytes of stack are needed, the limit is 523264"],
    ["ulimit -v 786431", "cannot start: 805306368 bytes of address space are needed, the limit is 805305344"],
    ["ulimit -d 524287", "cannot start: 536870912 bytes of data are needed, the limit is 536869888"],
  ];
  test.each(lacking)("says in one line what its runtime lacks: %s", (line, message) => {
    const done = run("drop", `${line}; exec "$0" short`);
    expect(done).toEqual({ status: 9, stdout: "", stderr: `sample: ${message}\n` });
  });

  const enough = ["ulimit -n 16", "ulimit -s 512", "ulimit -v 786432", "ulimit -d 524288"];
  test.each(enough)("runs under a limit that is just enough: %s", (line) => {
    const done = run("drop", `${line}; exec "$0" short`);
    expect(done).toEqual({ status: 0, stdout: '{"args":["short"]}\n', stderr: "" });
  });

  test("an abort of the runtime gives one line and the program's status, if the start says so", () => {
    const quiet = run("drop", 'exec "$0" abort');
    const message = "sample: cannot go on: no more memory, or no more threads\n";
    expect(quiet).toEqual({ status: 9, stdout: "", stderr: message });
    const loud = spawnSync(path("open"), ["abort"], { encoding: "utf8" });
    expect(loud.signal).toBe("SIGABRT");
  });

  test.skipIf(!canIsolate)("says that /proc is missing", () => {
    const done = spawnSync("unshare", [...NAMESPACES, "chroot", directory, "/drop", "short"], { encoding: "utf8" });
    const message = "sample: cannot start: /proc/self/maps cannot be read\n";
    expect({ status: done.status, stdout: done.stdout, stderr: done.stderr }).toEqual({
      status: 9,
      stdout: "",
      stderr: message,
    });
    const closed = spawnSync("unshare", [...NAMESPACES, "bash", "-c", 'exec chroot "$0" /drop short <&-', directory], {
      encoding: "utf8",
    });
    expect(closed).toMatchObject({
      status: 9,
      stdout: "",
      stderr: "sample: cannot start: a standard stream is closed, and /dev/null cannot stand in for it\n",
    });
  });
});
