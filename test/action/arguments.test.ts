import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARGUMENT_COUNT_LIMIT, checkArguments, sortArguments } from "../../src/action/arguments.ts";
import { CASES, Random, SEED } from "./random.ts";

test("sortArguments loses no argument, keeps the order, and keeps flags a bounded list", () => {
  const random = new Random(SEED);
  const pieces = ["-", "--", "a", "f", "=", "é", " ", "/", "-uf"] as const;
  for (let round = 0; round < CASES; round++) {
    const argv = Array.from({ length: random.below(8) }, () => random.text(pieces, 4));
    const about = `seed ${SEED}, round ${round}: ${JSON.stringify(argv)}`;
    const { args, flags } = sortArguments(argv);
    const end = argv.indexOf("--");
    const isFlag = (argument: string) => argument.startsWith("-") && argument !== "-";
    const isPositional = (argument: string, index: number) =>
      index !== end && (!isFlag(argument) || (end !== -1 && index > end));
    const typed = argv.filter((argument, index) => index !== end && isFlag(argument));
    expect(args, about).toEqual(argv.filter(isPositional));
    expect(typed.filter((flag) => !flags.includes(flag)), about).toEqual([]);
    // The first `--` only ends the flags; a second one may be any argument.
    expect(flags.every((flag) => isFlag(flag) && (flag !== "--" || argv.lastIndexOf("--") > end)), about).toBe(true);
  }
});

test("sortArguments makes of the largest vector of clusters a short list", () => {
  const letters = Array.from({ length: 93 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
  const argv = Array.from({ length: 700 }, (_, index) => `-${index}${letters.replaceAll("=", "")}`.slice(0, 93));
  expect(checkArguments(argv).ok).toBe(true);
  expect(sortArguments(argv).flags.length).toBeLessThanOrEqual(argv.length + 94);
});

test("checkArguments takes as many as the limit and no more", () => {
  expect(checkArguments(Array.from({ length: ARGUMENT_COUNT_LIMIT }, () => "")).ok).toBe(true);
  expect(checkArguments(Array.from({ length: ARGUMENT_COUNT_LIMIT + 1 }, () => "")).ok).toBe(false);
});

describe("A8: a flag behind -- that is another option's value counts as a flag", () => {
  const repository = mkdtempSync(join(tmpdir(), "flags-"));
  afterAll(() => rmSync(repository, { recursive: true }));
  const git = (...argv: readonly string[]) => spawnSync("git", argv, { cwd: repository, env: ENVIRONMENT });
  const commits = () => git("log", "--format=%s").stdout.toString().trim().split("\n").length;

  beforeAll(() => {
    git("init", "-q");
    writeFileSync(join(repository, ".git", "hooks", "pre-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(git("commit", "--allow-empty", "--no-verify", "-q", "-m", "first").status).toBe(0);
  });

  const cases: readonly { argv: readonly string[]; flag: string; isObeyed: () => boolean }[] = [
    {
      argv: ["commit", "--allow-empty", "-m", "--", "--no-verify"],
      flag: "--no-verify",
      isObeyed: () => commits() === 2,
    },
    { argv: ["commit", "--allow-empty", "-qm", "--", "-n"], flag: "-n", isObeyed: () => commits() === 3 },
    {
      argv: ["commit", "--allow-empty", "--author", "--", "--no-verify", "--amend", "-C", "HEAD"],
      flag: "--amend",
      // git complains about the author `--`, which it reads only as the value of --author.
      isObeyed: () => /author '--'|'--' is not|No existing author/i.test(lastError),
    },
  ];
  let lastError = "";
  for (const { argv, flag, isObeyed } of cases) {
    test(`git ${argv.join(" ")}`, () => {
      lastError = git(...argv).stderr.toString();
      expect({ lastError, isObeyed: isObeyed() }).toMatchObject({ isObeyed: true });
      expect(sortArguments(argv).flags).toContain(flag);
    });
  }

  test("git ignores flags after the -- that ends its options, and they still count as flags", () => {
    const argv = ["commit", "--allow-empty", "-m", "x", "--", "--no-verify"];
    expect(git(...argv).status).not.toBe(0);
    expect(sortArguments(argv)).toEqual({
      args: ["commit", "x", "--no-verify"],
      flags: ["--allow-empty", "-m", "--no-verify"],
    });
  });

  test("a lone dash behind it is positional", () => {
    expect(sortArguments(["--", "-", "-x"])).toEqual({ args: ["-", "-x"], flags: ["-x"] });
  });
});

/** Keeps this machine's git configuration out of the test. */
const ENVIRONMENT = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example",
};
