// The test bench of outcall-agent: the shim from source or built, scripted daemons, and a directory for each test.
import { afterEach, beforeEach } from "bun:test";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programForms } from "../program/programs.ts";
import { type Ended, type RunOptions, runProgram } from "../program/run-program.ts";
import { type Script, type ScriptedDaemon, startDaemon } from "../socket/scripted-daemon.ts";

/** The forms of the shim, for `describe.each`. */
export const AGENT_FORMS = programForms("outcall-agent").map((each) => [each.form, each.command] as const);

/** The verdict of an honest daemon that allows. */
export const ALLOWED = { allowed: true, matched_rule: "rule-0123456789ab", reason: null };

/** The verdict of an honest daemon that denies. */
export const DENIED = { allowed: false, matched_rule: null, reason: "no rule allows that" };

/** Arguments that ask about a network call, so no program is run. */
export const CHECK = ["check", "--type", "network_call", "--target", "https://example.com"];

/** The tools of a test of the shim. */
export type AgentBench = {
  /** The test's own directory, as a path without symbolic links. */
  readonly directory: () => string;
  /** Starts a scripted daemon, which is stopped after the test. */
  readonly start: (script: Script) => Promise<ScriptedDaemon>;
  /** Runs the shim with a daemon's socket. */
  readonly agent: (daemon: ScriptedDaemon, words: readonly string[], options?: RunOptions) => Promise<Ended>;
  /** A program that creates a file, which shows whether the program was run. */
  readonly marker: () => { readonly words: readonly string[]; readonly isThere: () => boolean };
};

/** Sets up the bench before each test of the block, and cleans up after it. */
export function setUpBench(command: readonly string[]): AgentBench {
  const running: ScriptedDaemon[] = [];
  const directories: string[] = [];
  const directory = (): string => directories.at(-1) ?? "";
  beforeEach(() => {
    directories.push(realpathSync(mkdtempSync(join(tmpdir(), "outcall-agent-"))));
  });
  afterEach(async () => {
    for (const daemon of running.splice(0)) await daemon.stop();
    for (const each of directories.splice(0)) rmSync(each, { recursive: true, force: true });
  });
  return {
    directory,
    start: async (script) => {
      const daemon = await startDaemon(script);
      running.push(daemon);
      return daemon;
    },
    agent: (daemon, words, options) => runProgram([...command, "--agent-socket", daemon.socketPath, ...words], options),
    marker: () => {
      const path = join(directory(), "marker");
      return { words: ["touch", path], isThere: () => existsSync(path) };
    },
  };
}

/** The body of the last request. */
export function asked(daemon: ScriptedDaemon): unknown {
  return JSON.parse(daemon.received.at(-1)?.body ?? "");
}
