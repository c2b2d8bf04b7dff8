// Every flag and variable of outcalld, and every malformed value: exit 2, with the flag's name, and nothing changed on
// disk.
import { resolve } from "node:path";
import { describe, expect, test } from "bun:test";
import { URL } from "node:url";
import { parseArgv } from "../../src/command/parse-argv.ts";
import { formatJson } from "../../src/core/json.ts";
import type { Result } from "../../src/core/result.ts";
import { type Config, configOf } from "../../src/daemon/config.ts";
import { readRate, readTimeout } from "../../src/daemon/flag-values.ts";
import { main } from "../../src/daemon/main.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";

const DEFAULTS: Config = {
  rulesDir: "/etc/outcall/rules.d",
  hostSocket: "/run/outcalld/host.sock",
  agentSocket: "/run/outcall/agent.sock",
  stateDir: "/var/lib/outcall",
  containers: "auto",
  dockerSocket: "/var/run/docker.sock",
  isDockerSocketGiven: false,
  bridge: "outcall0",
  watch: true,
  agentTimeoutMs: 5_000,
  rates: { permissions: { count: 100, periodMs: 10_000 }, ruleRequests: { count: 10, periodMs: 60_000 } },
  requireLabel: null,
  cgroupOwner: undefined,
  operatorsGroup: null,
  rulespec: null,
  logFormat: "auto",
  logLevel: "info",
  logLimits: { keepMs: 30 * 86_400_000, maxBytes: 1_000_000_000 },
  checkOnly: false,
};

async function run(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const printed = { out: "", error: "" };
  const exit = await main({
    entry: new URL("../../src/outcalld.ts", import.meta.url),
    argv,
    environment,
    isTerminal: false,
    writeOut: (text) => void (printed.out += text),
    writeError: (text) => void (printed.error += text),
    onHangUp: () => {},
    stopped: Promise.resolve("SIGTERM"),
  });
  return { ...printed, exit };
}

function configure(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Config {
  const plan = parseArgv(OUTCALLD, argv, environment);
  if (!plan.ok || plan.value.kind !== "run") throw new Error(JSON.stringify(plan));
  const config = configOf(plan.value);
  if (!config.ok) throw new Error(config.error.message);
  return config.value;
}

function valueOf<T>(read: Result<T, string>): T | null {
  return read.ok ? read.value : null;
}

test("configOf: the defaults are the specification's", () => expect(configure([])).toEqual(DEFAULTS));

/** Other values for the flags that do not take a path. */
const BEATEN: Readonly<Record<string, string>> = {
  containers: "docker",
  bridge: "b",
  "agent-timeout": "1m",
  "agent-perm-rate": "7/7",
  "agent-rule-rate": "7/7",
  "cgroup-owner": "7",
  "operators-group": "ops",
  "log-format": "json",
  "log-level": "error",
  "log-keep": "2w",
  "log-max": "2TB",
};

const flags: readonly { flag: string; value: string; gives: Partial<Config> }[] = [
  { flag: "rules-dir", value: "rules", gives: { rulesDir: resolve("rules") } },
  { flag: "socket", value: "/a/h.sock", gives: { hostSocket: "/a/h.sock" } },
  { flag: "agent-socket", value: "/a/a.sock", gives: { agentSocket: "/a/a.sock" } },
  { flag: "state-dir", value: "/a/state", gives: { stateDir: "/a/state" } },
  { flag: "containers", value: "cgroup", gives: { containers: "cgroup" } },
  { flag: "docker-socket", value: "/a/d.sock", gives: { dockerSocket: "/a/d.sock", isDockerSocketGiven: true } },
  { flag: "bridge", value: "br-1", gives: { bridge: "br-1" } },
  { flag: "bridge", value: "none", gives: { bridge: null } },
  { flag: "agent-timeout", value: "500ms", gives: { agentTimeoutMs: 500 } },
  {
    flag: "agent-perm-rate",
    value: "1000000/86400",
    gives: { rates: { ...DEFAULTS.rates, permissions: { count: 1_000_000, periodMs: 86_400_000 } } },
  },
  {
    flag: "agent-rule-rate",
    value: "1/1",
    gives: { rates: { ...DEFAULTS.rates, ruleRequests: { count: 1, periodMs: 1_000 } } },
  },
  { flag: "require-label", value: "team", gives: { requireLabel: { key: "team" } } },
  { flag: "require-label", value: "team=a=b", gives: { requireLabel: { key: "team", value: "a=b" } } },
  { flag: "require-label", value: "team=", gives: { requireLabel: { key: "team", value: "" } } },
  { flag: "operators-group", value: "ops", gives: { operatorsGroup: "ops" } },
  { flag: "cgroup-owner", value: "0", gives: { cgroupOwner: 0 } },
  { flag: "cgroup-owner", value: "4294967294", gives: { cgroupOwner: 4_294_967_294 } },
  { flag: "log-format", value: "text", gives: { logFormat: "text" } },
  { flag: "rulespec", value: "/a/r.yaml", gives: { rulespec: { kind: "file", path: "/a/r.yaml" } } },
  { flag: "rulespec-dir", value: "/a/r", gives: { rulespec: { kind: "dir", path: "/a/r" } } },
  { flag: "log-level", value: "debug", gives: { logLevel: "debug" } },
  { flag: "log-keep", value: "12h", gives: { logLimits: { keepMs: 43_200_000, maxBytes: 1_000_000_000 } } },
  { flag: "log-max", value: "1MB", gives: { logLimits: { keepMs: 30 * 86_400_000, maxBytes: 1_000_000 } } },
];

for (const { flag, value, gives } of flags) {
  const variable = `OUTCALL_${flag.toUpperCase().replaceAll("-", "_")}`;
  test(`configOf: --${flag} ${value}, ${variable}, and the flag wins`, () => {
    const expected = { ...DEFAULTS, ...gives };
    expect(configure([`--${flag}`, value])).toEqual(expected);
    expect(configure([`--${flag}=${value}`])).toEqual(expected);
    expect(configure([], { [variable]: value })).toEqual(expected);
    expect(configure([`--${flag}`, value], { [variable]: BEATEN[flag] ?? "/b" })).toEqual(expected);
  });
}

test("configOf: --check, OUTCALL_CHECK", () => {
  expect(configure(["--check"]).checkOnly).toBe(true);
  for (const [text, checkOnly] of [["1", true], ["true", true], ["0", false], ["false", false]] as const) {
    expect(configure([], { OUTCALL_CHECK: text }).checkOnly).toBe(checkOnly);
  }
});

test("configOf: --watch, --no-watch, OUTCALL_WATCH, OUTCALL_NO_WATCH", () => {
  expect(configure(["--watch"], { OUTCALL_WATCH: "0" }).watch).toBe(true);
  expect(configure(["--no-watch"], { OUTCALL_WATCH: "1" }).watch).toBe(false);
  expect(configure([], { OUTCALL_WATCH: "0" }).watch).toBe(false);
  expect(configure([], { OUTCALL_NO_WATCH: "1" }).watch).toBe(false);
  expect(configure([], { OUTCALL_NO_WATCH: "0" }).watch).toBe(true);
  expect(configure(["--watch"], { OUTCALL_NO_WATCH: "1" }).watch).toBe(true);
});

test("configOf: a variable that is malformed does not matter where its flag is given", () => {
  const choice = configure(["--log-format", "text", "--check"], { OUTCALL_LOG_FORMAT: "xml", OUTCALL_CHECK: "maybe" });
  expect(choice).toMatchObject({ logFormat: "text", checkOnly: true });
  expect(configure(["--no-watch"], { OUTCALL_WATCH: "maybe" }).watch).toBe(false);
});

test("every flag of the table is in these tests", () => {
  const known = OUTCALLD.commands.flatMap((command) => Object.keys(command.flags));
  expect([...new Set([...flags.map((each) => each.flag), "check", "watch"])].sort()).toEqual([...known].sort());
});

describe("a malformed command line", () => {
  const long = `/${"a".repeat(107)}`;
  const cases: readonly { argv: readonly string[]; environment?: Record<string, string>; error: string }[] = [
    { argv: ["--rule-dir", "x"], error: 'unknown flag "--rule-dir" (did you mean "--rules-dir"?)' },
    { argv: ["start"], error: 'unexpected argument "start"' },
    { argv: ["--socket"], error: "--socket needs a value" },
    { argv: ["--socket", "a.sock"], error: '--socket must be an absolute path, not "a.sock"' },
    { argv: ["--agent-socket", ""], error: '--agent-socket must be an absolute path, not ""' },
    { argv: ["--agent-socket", long], error: "--agent-socket is over 107 bytes" },
    { argv: ["--rulespec", "/a", "--rulespec-dir", "/b"], error: "--rulespec and --rulespec-dir exclude each other" },
    { argv: ["--rulespec", ""], error: "--rulespec is empty" },
    { argv: ["--socket", "/a", "--agent-socket", "/a"], error: "--socket and --agent-socket are the same path" },
    { argv: ["--containers", "dokcer"], error: 'not "dokcer" (did you mean "docker"?)' },
    { argv: [], environment: { OUTCALL_CONTAINERS: "cgroups" }, error: 'did you mean "cgroup"?' },
    { argv: ["--bridge", "a/b"], error: '--bridge is the name of a device, not "a/b"' },
    { argv: ["--bridge", ".."], error: "--bridge is the name of a device" },
    { argv: ["--bridge", "a234567890123456"], error: "--bridge is the name of a device" },
    { argv: ["--bridge", ""], error: "--bridge is the name of a device" },
    { argv: ["--agent-timeout", "5"], error: '--agent-timeout is a duration such as 500ms, 2s or 1m, not "5"' },
    { argv: ["--log-keep", "30"], error: '--log-keep is an age such as 12h, 30d or 8w, not "30"' },
    { argv: ["--log-keep", "0d"], error: "--log-keep is an age" },
    { argv: ["--log-max", "1"], error: '--log-max is a size of at least 1MB, such as 500MB or 1GB, not "1"' },
    { argv: ["--log-max", "999KB"], error: "--log-max is a size of at least 1MB" },
    { argv: [], environment: { OUTCALL_AGENT_TIMEOUT: "soon" }, error: "OUTCALL_AGENT_TIMEOUT is a duration" },
    { argv: ["--agent-perm-rate", "100"], error: '--agent-perm-rate is a count and seconds such as 100/10, not "100"' },
    {
      argv: [],
      environment: { OUTCALL_AGENT_RULE_RATE: "0/60" },
      error: "OUTCALL_AGENT_RULE_RATE is a count and seconds",
    },
    { argv: ["--require-label", "=a"], error: '--require-label is key or key=value, not "=a"' },
    { argv: ["--cgroup-owner", "root"], error: `--cgroup-owner is a user's number, not "root"` },
    { argv: ["--cgroup-owner", "4294967295"], error: "--cgroup-owner is a user's number" },
    { argv: ["--rules-dir", ""], error: "--rules-dir is empty" },
    { argv: ["--state-dir", ""], error: "--state-dir is empty" },
    { argv: ["--docker-socket", ""], error: "--docker-socket is empty" },
    { argv: ["--log-format", "xml"], error: "--log-format" },
    { argv: ["--log-level", "warn"], error: 'did you mean "warning"?' },
    { argv: ["--check", "--check"], error: "--check is given twice" },
    {
      argv: [],
      environment: { OUTCALL_WATCH: "1", OUTCALL_NO_WATCH: "1" },
      error: "OUTCALL_WATCH and OUTCALL_NO_WATCH exclude each other",
    },
    { argv: [], environment: { OUTCALL_CHECK: "yes" }, error: 'OUTCALL_CHECK is 1, 0, true or false, not "yes"' },
    { argv: ["--bridge", "\u001b[2J\u202e"], error: '"\\u{1b}[2J\\u{202e}"' },
  ];
  for (const { argv, environment, error } of cases) {
    test(`exit 2: ${formatJson([...argv, ...Object.values(environment ?? {})]).slice(0, 60)}`, async () => {
      const done = await run(argv, environment);
      expect(done).toMatchObject({ exit: 2, out: "" });
      expect(done.error).toContain(error);
      expect(done.error).toMatch(/^Error: [^\n]*\n$/);
    });
  }

  test("a path of exactly the longest length is taken", () => {
    expect(configure(["--socket", long.slice(0, 107)]).hostSocket).toHaveLength(107);
    expect(configure(["--bridge", "a23456789012345"]).bridge).toHaveLength(15);
  });
});

test("--help and --version print and do nothing", async () => {
  expect(await run(["--version"])).toEqual({
    exit: 0,
    out: expect.stringMatching(/^outcalld \d+\.\d+\.\d+\n$/),
    error: "",
  });
  const help = await run(["--help", "--socket", "/x"]);
  expect(help).toMatchObject({ exit: 0, error: "" });
  for (const { flag } of flags) expect(help.out).toContain(`--${flag}`);
});

describe("readTimeout", () => {
  const cases: readonly (readonly [string, number | null])[] = [
    ["500ms", 500],
    ["1440m", 86_400_000],
    ["1441m", null],
    ["86400001ms", null],
    ["1h", null],
    ["0s", null],
  ];
  for (const [text, expected] of cases) {
    test(JSON.stringify(text), () => expect(valueOf(readTimeout(text))).toBe(expected));
  }
});

describe("readRate", () => {
  const cases: readonly (readonly [string, readonly [count: number, periodMs: number] | null])[] = [
    ["100/10", [100, 10_000]],
    ["1/1", [1, 1_000]],
    ["1000000/86400", [1_000_000, 86_400_000]],
    ["1000001/1", null],
    ["1/86401", null],
    ["0/1", null],
    ["1/0", null],
    ["01/1", null],
    ["1/1s", null],
    ["1 /1", null],
    ["1", null],
    ["/1", null],
    ["1/", null],
    ["", null],
    ["-1/1", null],
    ["1.5/1", null],
    ["1/1/1", null],
    ["1/1\n", null],
    ["٣/1", null],
  ];
  for (const [text, expected] of cases) {
    const rate = expected === null ? null : { count: expected[0], periodMs: expected[1] };
    test(JSON.stringify(text), () => expect(valueOf(readRate(text))).toEqual(rate));
  }
});
