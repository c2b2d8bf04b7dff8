// An agent cannot influence the built shim through variables, files, limits, streams or names: the shim asks, or exits
// with 5, and the program that it runs gets everything unchanged.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostMachine } from "../../scripts/static-relink/machine.ts";
import { findStaticLibc } from "../../scripts/static-relink/toolchain.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { asUser, ORDINARY_UID } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";
import { type Ended, PLAIN_ENVIRONMENT, runProgram } from "../support/program/run-program.ts";
import { honest, type ScriptedDaemon, startDaemon } from "../support/socket/scripted-daemon.ts";

setDefaultTimeout(120_000);

const [SHIM = ""] = program("outcall-agent");
const ALLOWED = { allowed: true, matched_rule: "rule-0123456789ab", reason: null };
const DENIED = { allowed: false, matched_rule: null, reason: "no" };
const ASKED = ["/v1/checkin", "/v1/permissions/check"];

let directory = "";
let daemon: ScriptedDaemon | undefined;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "outcall-shim-")));
});
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
  rmSync(directory, { recursive: true, force: true });
});

async function startAt(verdict: unknown): Promise<ScriptedDaemon> {
  daemon = await startDaemon(honest(verdict));
  return daemon;
}

/** The environment as printed by the shim's program, entry by entry. */
async function environmentBehind(
  variables: Readonly<Record<string, string>>,
): Promise<Ended & { readonly asked: unknown }> {
  const { socketPath, received } = await startAt(ALLOWED);
  const words = [SHIM, "--agent-socket", socketPath, "exec", "cat", "/proc/self/environ"];
  const ended = await runProgram(words, { environment: variables, directory });
  return { ...ended, asked: received.map(({ path }) => path) };
}

// Each variable affects a program with this runtime, its libraries or libc that does not remove it.
const STEERING: Readonly<Record<string, string>> = {
  BUN_OPTIONS: "--version",
  BUN_BE_BUN: "1",
  BUN_CONFIG_VERBOSE_FETCH: "curl",
  BUN_INSPECT: "127.0.0.1:0?wait=1",
  BUN_INSPECT_CONNECT_TO: "unix:///nowhere",
  BUN_INSPECT_NOTIFY: "unix:///nowhere",
  BUN_INSPECT_PRELOAD: "/nowhere.js",
  BUN_JSC_dumpOptions: "2",
  BUN_JSC_dumpGeneratedBytecodes: "1",
  BUN_JSC_logGC: "2",
  BUN_JSC_maxPerThreadStackUsage: "1000",
  BUN_JSC_useJIT: "nonsense",
  BUN_FEATURE_FLAG_SYNTHETIC_MEMORY_LIMIT: "1",
  BUN_DESTRUCT_VM_ON_EXIT: "1",
  JSC_dumpOptions: "2",
  JSC_configFile: "/nowhere",
  NODE_CHANNEL_FD: "0",
  NODE_DEBUG: "http,net",
  NODE_EXTRA_CA_CERTS: "/nowhere",
  NODE_OPTIONS: "--nonsense",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NODE_V8_COVERAGE: "coverage",
  MIMALLOC_VERBOSE: "3",
  mimalloc_show_stats: "1",
  MALLOC_TRACE: "trace",
  GLIBC_TUNABLES: "glibc.malloc.check=3",
  LD_LIBRARY_PATH: "/nowhere",
  GCONV_PATH: "/nowhere",
  LOCPATH: "/nowhere",
  ICU_DATA: "/nowhere",
  TZ: ":/etc/passwd",
  FORCE_COLOR: "3",
  HTTP_PROXY: "http://127.0.0.1:1",
  http_proxy: "http://127.0.0.1:1",
  SSLKEYLOGFILE: "keys",
  TMPDIR: "/nowhere",
  HOME: "/nowhere",
};

// A dynamic build starts its runtime directly, which reads any variable.
const missingStatic = findStaticLibc(hostMachine()) === undefined ? hostMachine().packages : undefined;
const built = requirement("the built shim", missingStatic);

describe.skipIf(built.skip)(`${built.label}: variables`, () => {
  test.each(Object.entries(STEERING))("%s=%s: it asks, and the program gets it", async (name, value) => {
    const variables = { ...PLAIN_ENVIRONMENT, [name]: value };
    const ended = await environmentBehind(variables);
    const entries = Object.entries(variables).map((entry) => entry.join("="));
    expect(ended).toMatchObject({ code: 0, stdout: `${entries.join("\0")}\0`, stderr: "", asked: ASKED });
  });

  test("all of them, and every name that looks like one in the file itself, at once", async () => {
    const text = readFileSync(SHIM).toString("latin1");
    const names = new Set(text.match(/\b(?:BUN|NODE|JSC|MIMALLOC|MALLOC|LD|UV|ICU|WTF|GLIBC|OUTCALL)_\w{2,60}/g));
    for (const own of ["OUTCALL_TIMEOUT_SECS", "OUTCALL_VERDICT"]) names.delete(own);
    expect(names.size).toBeGreaterThan(300);
    // The dynamic linker of the next program would react to these.
    const variables = Object.fromEntries(
      [...names].filter((name) => !name.startsWith("LD_")).map((name) => [name, "1"]),
    );
    const environment = { ...PLAIN_ENVIRONMENT, ...variables, ...STEERING };
    const ended = await environmentBehind(environment);
    expect(ended).toMatchObject({ code: 0, stderr: "", asked: ASKED });
    expect(ended.stdout.split("\0").slice(0, -1)).toEqual(Object.entries(environment).map((entry) => entry.join("=")));
  });

  test("one that is no text", async () => {
    const { socketPath, received } = await startAt(ALLOWED);
    const print = 'printf %s "$A" | od -An -tx1';
    const line = `export A=$'\\xff'; exec "$0" --agent-socket "$1" exec sh -c '${print}'`;
    const ended = await runProgram(["bash", "--norc", "-c", line, SHIM, socketPath]);
    expect(ended).toMatchObject({ code: 0, stdout: " ff\n", stderr: "" });
    expect(received.map(({ path }) => path)).toEqual(ASKED);
  });

  test("a megabyte of them", async () => {
    const environment: Record<string, string> = { ...PLAIN_ENVIRONMENT };
    for (let index = 0; index < 10; index++) environment[`BUN_${index}`] = "x".repeat(100_000);
    const ended = await environmentBehind(environment);
    expect(ended).toMatchObject({ code: 0, stderr: "", asked: ASKED });
    expect(ended.stdout).toBe(`${Object.entries(environment).map((entry) => entry.join("=")).join("\0")}\0`);
  });

  test.each(Object.entries(STEERING))("%s=%s: a denial stays one", async (name, value) => {
    const { socketPath } = await startAt(DENIED);
    const words = [SHIM, "--agent-socket", socketPath, "exec", "touch", join(directory, "ran")];
    const ended = await runProgram(words, { environment: { ...PLAIN_ENVIRONMENT, [name]: value }, directory });
    expect(ended).toMatchObject({ code: 126, stdout: "", stderr: "outcall-agent: denied: no\n" });
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  test.each(["outcall", "outcalld"] as const)("%s is what it is too", async (name) => {
    const variables = { BUN_OPTIONS: "--nonsense", BUN_BE_BUN: "1", BUN_JSC_useJIT: "nonsense", NODE_DEBUG: "http" };
    const environment = { ...PLAIN_ENVIRONMENT, ...variables, LD_DEBUG: "all", MIMALLOC_VERBOSE: "3" };
    const ended = await runProgram([...program(name), "--version"], { environment });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^outcalld? \d/), stderr: "" });
  });
});

test("files of the directory that it is started in are not read", async () => {
  writeFileSync(join(directory, ".env"), "OUTCALL_VERDICT=nonsense\nPATH=/nowhere\n");
  writeFileSync(join(directory, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(directory, "preload.ts"), "process.exit(0);\n");
  writeFileSync(join(directory, "package.json"), "nonsense");
  writeFileSync(join(directory, "tsconfig.json"), "nonsense");
  const ended = await environmentBehind(PLAIN_ENVIRONMENT);
  expect(ended).toMatchObject({ code: 0, stdout: `PATH=${PLAIN_ENVIRONMENT.PATH}\0`, stderr: "", asked: ASKED });
});

test.each(["bun", "bunx", "node", "bun.exe"])("under the name %s it is a link like any other", async (name) => {
  symlinkSync(SHIM, join(directory, name));
  const ended = await runProgram([join(directory, name), "--version"], { directory });
  expect(ended).toMatchObject({ code: 5, stdout: "" });
  expect(ended.stderr).toStartWith("outcall-agent: ");
});

describe.skipIf(built.skip)(`${built.label}: limits and streams`, () => {
  /** Runs a line of bash that ends with the shim, which asks about `touch ran`. */
  async function runLine(line: string) {
    const { socketPath, received } = await startAt(ALLOWED);
    const words = [
      "bash",
      "--norc",
      "-c",
      `${line} "$@"`,
      "bash",
      SHIM,
      "--agent-socket",
      socketPath,
      "exec",
      "touch",
      "ran",
    ];
    const ended = await runProgram(words, { directory });
    return { ...ended, asked: received.length > 0, ran: existsSync(join(directory, "ran")) };
  }

  // Hard limits; the shim raises soft limits while it asks.
  const tooLow = ["n 3", "n 4", "n 15", "s 64", "s 256", "v 300000", "v 700000", "d 1000000 -v 500000", "d 100000"];
  test.each(tooLow)("ulimit -%s: one line, exit 5, nothing asked or run", async (limit) => {
    const ended = await runLine(`ulimit -${limit}; exec`);
    expect(ended).toMatchObject({ code: 5, stdout: "", asked: false, ran: false });
    expect(ended.stderr).toMatch(/^outcall-agent: cannot start: \d+ [a-z ]+ are needed, the limit is \d+\n$/);
  });

  // With these limits, the kernel or libc ends the process before or during its work.
  const farTooLow = ["v 10000", "v 100000", "s 8", "d 1000", "t 0"];
  test.each(farTooLow)("ulimit -%s: it does not end well, and nothing is asked or run", async (limit) => {
    const ended = await runLine(`ulimit -${limit}; exec`);
    expect(ended).toMatchObject({ stdout: "", asked: false, ran: false });
    expect(ended.code).not.toBe(0);
  });

  const usable = [
    "ulimit -Sn 5",
    "ulimit -Ss 256",
    "ulimit -Sv 300000",
    "ulimit -Sd 100000",
    "ulimit -f 0",
    "ulimit -c 0",
  ];
  test.each([...usable, "exec <&-;", "exec >&-;", "exec 2>&-;", "exec <&- >&- 2>&-;", "trap '' PIPE;", "umask 777;"])(
    "%s: it asks and becomes the program",
    async (line) => {
      expect(await runLine(`${line.replace(/;$/, "")}; exec`)).toMatchObject({ code: 0, asked: true, ran: true });
    },
  );

  test("a message is not written into a file that took the place of a closed stream", async () => {
    const { socketPath, received } = await startAt(DENIED);
    const line = 'exec "$@" 2>&-';
    const ended = await runProgram([
      "bash",
      "--norc",
      "-c",
      line,
      "bash",
      SHIM,
      "--agent-socket",
      socketPath,
      "exec",
      "true",
    ]);
    expect(ended).toMatchObject({ code: 126, stdout: "", stderr: "" });
    expect(received.map(({ path }) => path)).toEqual(ASKED);
  });
});

const { label, skip } = requirement("the built shim of an ordinary user", missingRoot(), missingProgram("prlimit"));

describe.skipIf(skip)(label, () => {
  // A user without other processes on this machine, because the process limit is per user.
  const user = asUser(ORDINARY_UID - 7);

  test.skipIf(built.skip)("a limit of one process: one line, exit 5, nothing run", () => {
    const words = [...user, "prlimit", "--nproc=1", SHIM, "exec", "touch", join(directory, "ran")];
    const [command = "", ...rest] = words;
    const done = spawnSync(command, rest, { encoding: "utf8", env: PLAIN_ENVIRONMENT });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status: 5, stdout: "" });
    expect(done.stderr).toBe("outcall-agent: cannot go on: no more memory, or no more threads\n");
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  test("a socket that it may not connect to", async () => {
    const { socketPath, received } = await startAt(ALLOWED);
    chmodSync(dirname(socketPath), 0o755);
    chmodSync(socketPath, 0o600);
    const ended = await runProgram([...user, SHIM, "--agent-socket", socketPath, "exec", "echo", "x"]);
    const where = `outcalld at ${socketPath} -- is it running?`;
    const hint = "(this user may not connect to that socket)";
    expect(ended).toMatchObject({ code: 5, stdout: "", stderr: `outcall-agent: cannot connect to ${where} ${hint}\n` });
    expect(received).toEqual([]);
  });
});

const canTrace = !built.skip && spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

test.skipIf(!canTrace)("it asks without opening a library, and dials nothing but the socket", async () => {
  const { socketPath } = await startAt(ALLOWED);
  const trace = join(directory, "trace");
  const calls = "trace=open,openat,openat2,execve,execveat,socket,connect";
  const words = [SHIM, "--agent-socket", socketPath, "exec", "busybox", "true"];
  const ended = await runProgram(["strace", "-f", "-o", trace, "-e", calls, ...words]);
  expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const [, ...lines] = readFileSync(trace, "utf8").split("\n");
  const own = lines.slice(0, lines.findIndex((line) => line.includes("execve(")));
  const opened = own.flatMap((line) => [...line.matchAll(/ open\w*\([^"]*"([^"]+)"/g)].map(([, path = ""]) => path));
  expect(opened).toContain("/proc/self/cmdline");
  expect(opened.filter((path) => !/^\/(proc|sys|etc)\//.test(path))).toEqual([]);
  expect(own.filter((line) => line.includes("socket("))).toEqual([expect.stringContaining("AF_UNIX")]);
  expect(own.filter((line) => line.includes("connect("))).toEqual([
    expect.stringContaining(`sun_path="${socketPath}"`),
  ]);
});
