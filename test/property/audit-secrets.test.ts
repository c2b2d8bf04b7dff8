// Secrets are planted in every part of a request. None of them appears in the bytes of the log's files in any encoding.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "bun:test";
import { contextOf } from "../../src/action/request-context.ts";
import type { Context } from "../../src/core/context.ts";
import { decisionEntry, eventEntry, openTestLog, StateDir } from "../support/audit/audit-log.ts";
import { completed } from "../support/plain/complete-context.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES as ALL_CASES } from "../support/cases.ts";

/** Each case is written to disk and searched, so this runs a fifth of the gate's cases. */
const CASES = Math.max(1_000, Math.ceil(ALL_CASES / 5));
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

type Plant = () => string;
type Planted = { readonly context: Context; readonly source: "agent" | "host" };

const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const NAMES = [
  "password",
  "api-key",
  "token",
  "client_secret",
  "accessKey",
  "db.passwd",
  "AUTH_TOKEN",
  "private-key-file",
];
const PREFIXES = ["ghp_", "github_pat_", "glpat-", "xoxb-", "AKIA", "AIza", "sk-ant-1", "npm_", "eyJ", "pypi-", "hf_"];

// Twenty characters that occur in no other text. It has a token format if nothing else marks it as a secret.
function secret(random: Random): string {
  return Array.from({ length: 20 }, () => random.pick([...LETTERS])).join("");
}

function token(random: Random, plant: Plant): string {
  const prefix = random.pick(PREFIXES);
  return `${prefix}${prefix === "AKIA" ? plant().toUpperCase() : plant()}`;
}

function url(random: Random, plant: Plant): string {
  return random.pick([
    () => `https://user:${plant()}@host.example/path`,
    () => `https://host.example/path?key=${plant()}&b=${plant()}`,
    () => `http://host.example:8080/?${plant()}`,
    () => `https://host.example/#${plant()}`,
    () => `https://host.example/${token(random, plant)}/x`,
    () => `ftp://a:${plant()}/${plant()}@host.example/`,
  ])();
}

// A secret in an argument vector, as one or several words.
function words(random: Random, plant: Plant): readonly string[] {
  const name = random.pick(NAMES);
  return random.pick<() => readonly string[]>([
    () => [`--${name}`, plant()],
    () => [`--${name}=${plant()}`],
    () => [`-${name}`, plant()],
    () => [`--${name}`, `-${plant()}`],
    () => [`${name}=${plant()}`],
    () => [`${name.toUpperCase().replaceAll(/[.-]/g, "_")}=${plant()}`],
    () => ["-H", `Authorization: Bearer ${plant()}`],
    () => ["-H", `X-Anything: ${plant()}`],
    () => ["Authorization:", "Bearer", plant()],
    () => ["-u", `user:${plant()}`],
    () => ["-e", `ANY=${plant()}`],
    () => [`{"${name}": "${plant()}", "b": 1}`],
    () => [`${name}: ${plant()}`],
    () => [token(random, plant)],
    () => [`x${random.pick([",", ":", "/", " "])}${token(random, plant)}`],
    () => [url(random, plant)],
    () => [`-----BEGIN RSA PRIVATE KEY-----\n${plant()}\n${plant()}\n-----END RSA PRIVATE KEY-----`],
  ])();
}

function plain(random: Random): string {
  return random.pick(["push", "-f", "origin", "main", "--verbose", "a.txt", "https://host.example/x", "-p", "\u20ac"]);
}

function argv(random: Random, plant: Plant): readonly string[] {
  const parts = Array.from(
    { length: random.below(4) + 1 },
    () => random.below(2) === 0 ? [plain(random)] : words(random, plant),
  );
  return parts.flat();
}

function shellWord(random: Random, word: string): string {
  if (/^[\w./:@=-]+$/.test(word) && random.below(2) === 0) return word;
  return word.includes('"') || random.below(2) === 0 ? `'${word}'` : `"${word}"`;
}

function line(random: Random, plant: Plant): string {
  const commands = Array.from({ length: random.below(2) + 1 }, () => {
    return ["tool", ...argv(random, plant).map((word) => shellWord(random, word))].join(random.pick([" ", "  ", "\t"]));
  });
  return commands.join(random.pick([" | ", " && ", "; ", "\n"]));
}

function metadata(random: Random, plant: Plant): Record<string, unknown> {
  return {
    note: plant(),
    list: [plant(), plant()],
    ...(random.below(2) === 0 ? { cwd: `/home/${token(random, plant)}` } : {}),
  };
}

function fromAgent(random: Random, plant: Plant): Planted {
  const request = random.pick([
    () => ({
      action_type: "tool_exec",
      target: "/usr/bin/tool",
      metadata: { ...metadata(random, plant), argv: argv(random, plant) },
    }),
    () => ({ action_type: "shell_exec", target: line(random, plant), metadata: metadata(random, plant) }),
    () => ({
      action_type: "network_call",
      target: `https://host.example/p?${plant()}`,
      metadata: metadata(random, plant),
    }),
    () => ({
      action_type: "network_call",
      target: `${random.pick(["AKIA", "eyJ", "AIza"])}${plant()}.host.example:443`,
    }),
    () => ({
      action_type: "file_access",
      target: `/tmp/${token(random, plant)}`,
      metadata: { mode: "read", note: plant() },
    }),
  ])();
  const context = contextOf(request);
  if (!context.ok) return { context: { target: url(random, plant) }, source: "agent" };
  const labels = { "com.example.a": plant() };
  const agent = { id: "a", name: "n", image: `registry/${token(random, plant)}`, labels };
  return { context: { ...context.value, agent, envelope: { facts: { found: plant() } } }, source: "agent" };
}

function fromHost(random: Random, plant: Plant): Planted {
  const args = argv(random, plant);
  // Not canonical on purpose: no record may contain a secret, whatever it is made of.
  const http = { method: "GET", path: `/a?b=${plant()}`, host: "h", headers: { cookie: plant(), any: plant() } };
  const dns = { query: `${token(random, plant)}.evil.example` };
  const context = completed({
    docker: {
      image: "i",
      command: argv(random, plant),
      env_keys: [`K=${plant()}`],
      volumes: [`/x:/${token(random, plant)}`],
    },
    run: {
      tool: "t",
      flags: args.filter((word) => word.startsWith("-")),
      args: args.filter((word) => !word.startsWith("-")),
      context: { any: plant(), deep: { of: [plant()] } },
    },
  });
  return { context: { ...context, http, dns }, source: "host" };
}

test(`no planted secret is in the files (seed ${SEED}, ${CASES} cases)`, async () => {
  const random = seededRandom(SEED);
  // A few at a time, because every search reads all files.
  for (let done = 0; done < CASES; done += 50) await plantAndSearch(random, Math.min(50, CASES - done));
}, 60_000 + 10 * CASES);

async function plantAndSearch(random: Random, count: number): Promise<void> {
  using state = new StateDir();
  const { log } = await openTestLog(state);
  const planted = Array.from({ length: count }, () => {
    const hidden: string[] = [];
    const plant = () => {
      const made = secret(random);
      hidden.push(made);
      return made;
    };
    const { context, source } = random.below(2) === 0 ? fromAgent(random, plant) : fromHost(random, plant);
    const errors = [{ rule: "r", file: "f", message: `it said ${token(random, plant)}` }];
    expect(log.queue(decisionEntry({ context, source, errors }))).toMatchObject({ ok: true });
    const detail = { path: url(random, plant), note: [token(random, plant)] };
    log.queue(eventEntry("refusal", { reason: `refused ${url(random, plant)}`, detail }));
    return { hidden, context };
  });
  expect(await log.append(decisionEntry({ logged: true }))).toMatchObject({ ok: true });
  const open = filesOf(state);
  await log.close();
  const bytes = `${open}\n${filesOf(state)}`;
  expect(bytes).toContain("allow-git");
  // Searching bytes is several times faster than searching text.
  const lowerCase = Buffer.from(bytes.toLowerCase(), "latin1");
  for (const { hidden, context } of planted) {
    const found = hidden.filter((each) => lowerCase.includes(each.toLowerCase()));
    if (found.length > 0) throw new Error(`seed ${SEED}: ${found} of ${JSON.stringify(context)}`);
  }
}

function filesOf(state: StateDir): string {
  const { database, head, key } = state.paths;
  const paths = [database, `${database}-wal`, `${database}-shm`, head, key].filter((path) => existsSync(path));
  return paths.map((path) => readFileSync(path, "latin1")).join("\n");
}
