// Shared by tests with real containers: requirements of this machine, and programs to talk to. If a requirement is
// missing, the tests are skipped by name; in CI they run and fail.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Container } from "../../../src/container/container.ts";
import type { SourceStatus } from "../../../src/container/source.ts";
import type { Problem } from "../../../src/core/problem.ts";

/** The repository. */
export const ROOT = join(import.meta.dir, "..", "..", "..");

/** The bun that runs the tests. */
export const BUN = process.execPath;

/** Whether missing requirements must fail the tests. */
const MUST_RUN = process.env["CI"] === "true";

/** Whether this process is root's. */
export const IS_ROOT = process.getuid?.() === 0;

/** The name of a group of tests with the missing requirements, and whether to skip it. */
export type Requirement = { readonly skip: boolean; readonly label: string };

/** Names a group of tests by its requirements; each is a reason why it is missing, or undefined. */
export function requirement(name: string, ...missing: readonly (string | undefined)[]): Requirement {
  const reasons = missing.filter((reason) => reason !== undefined);
  if (reasons.length === 0) return { skip: false, label: name };
  return { skip: !MUST_RUN, label: `${name} (needs ${reasons.join(", ")})` };
}

/** The reason when this process is not root's. */
export function missingRoot(): string | undefined {
  return IS_ROOT ? undefined : "root";
}

/** The reason when a program is not installed. */
export function missingProgram(program: string): string | undefined {
  const paths = (process.env["PATH"] ?? "").split(":").concat("/usr/sbin", "/sbin");
  return paths.some((path) => existsSync(join(path, program))) ? undefined : program;
}

/** The reason when the kernel is older than this version, as `6.14`. */
export function missingKernel(version: string): string | undefined {
  const [major = 0, minor = 0] = release().split(".").map((part) => Number.parseInt(part, 10));
  const [wantedMajor = 0, wantedMinor = 0] = version.split(".").map(Number);
  const isNew = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return isNew ? undefined : `Linux ${version}`;
}

/** The server's answer; `ended` and `broken` come from the client if there is none. */
export type Answer = {
  readonly ok: boolean;
  readonly value?: Container;
  readonly error?: Problem;
  /** The peer's pid on the host. */
  readonly pid?: number;
  readonly alive?: boolean;
  readonly status?: SourceStatus;
  readonly ended?: boolean;
  readonly broken?: string;
};

/** A program that is read line by line. */
export class Talker {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** Starts the program; `stop` ends it. */
  constructor(argv: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const [program = "", ...rest] = argv;
    this.process = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"], env });
    const { stdout } = this.process;
    if (stdout === null) throw new Error("no pipe");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Writes a line. */
  say(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  /** The next line that the program writes; undefined when it has ended. */
  async hear(): Promise<string | undefined> {
    const next = await this.#lines.next();
    return next.done === true ? undefined : next.value;
  }

  /** Asks the server who this peer is. */
  async ask(): Promise<Answer> {
    this.say("ask");
    return JSON.parse(await this.hear() ?? '{"ok":false,"ended":true}');
  }

  /** Waits for the program to exit. */
  async ended(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
  }

  /** Ends the program and waits for it. */
  async stop(): Promise<void> {
    this.process.stdin?.end();
    this.process.kill("SIGKILL");
    await this.ended();
  }
}

/** The program that identifies peers at a socket. */
const SERVER = join(ROOT, "test", "support", "container", "server.ts");

/** The program that asks there. */
export const CLIENT = join(ROOT, "test", "support", "container", "client.ts");

/** Deno, running a program from source. */
export const DENO = [join(ROOT, "node_modules", ".bin", "deno"), "run", "--quiet", "-A"];

/** How the server is run. */
export type ServerRun = {
  /** A command prefix, to run the server elsewhere or as another user. */
  readonly before?: readonly string[];
  /** The runtime of the server; bun by default. */
  readonly runtime?: readonly string[];
};

/** Starts the server and waits until it listens. */
export async function startServer(
  socketPath: string,
  options: { readonly [name: string]: unknown },
  { before = [], runtime = [BUN] }: ServerRun = {},
): Promise<Talker> {
  const server = new Talker([...before, ...runtime, SERVER, socketPath, JSON.stringify(options)]);
  const line = await server.hear();
  if (line !== "ready") throw new Error(`server does not start: ${line}`);
  return server;
}
