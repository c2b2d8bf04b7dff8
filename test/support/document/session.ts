// The sessions of a page: commands after `$ `, with their output below. They run in one shell, on a host with the
// Docker engine, directories and programs that the page assumes.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BASE_IMAGE, type DockerEngine, startEngine } from "../host/docker.ts";
import { type Fence, fileNameOf } from "./documents.ts";
import { program } from "../program/programs.ts";

/** One command with its output; `...` stands for any lines, `[...]` for any text within a line. */
type SessionStep = { readonly line: number; readonly command: string; readonly output: string };

/** Reads a session. A command continues on the next line after a backslash, and to the end of a here-document. */
export function readSession({ path, line, text }: Fence): readonly SessionStep[] {
  const steps: { line: number; command: string; output: string }[] = [];
  for (const [index, each] of text.trimEnd().split("\n").entries()) {
    const last = steps.at(-1);
    if (last !== undefined && isUnfinished(last.command)) last.command += `\n${each}`;
    else if (each.startsWith("$ ")) steps.push({ line: line + 1 + index, command: each.slice(2), output: "" });
    else if (last !== undefined) last.output += `${each}\n`;
    else throw new Error(`${path}:${line}: a session begins with a command`);
  }
  return steps;
}

function isUnfinished(command: string): boolean {
  const end = /<<'(\w+)'/.exec(command)?.[1];
  return command.endsWith("\\") || (end !== undefined && !command.endsWith(`\n${end}`));
}

/** Whether an output matches the page. */
export function isAsSaid(said: string, output: string): boolean {
  const pattern = said.split("\n").map((line) =>
    line === "..." ? "(?:.*\\n)*?" : `${line.split("[...]").map(escapeRegExp).join(".*")}\n`
  );
  // The text after the last line break is empty and not part of the pattern.
  return new RegExp(`^${pattern.slice(0, -1).join("")}$`, "u").test(output);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** The directories of the host, emptied for each page, with the modes that the daemon sets when it creates them. */
const MODES: Readonly<Record<string, string>> = {
  "/etc/outcall": "755",
  "/run/outcall": "755",
  "/run/outcalld": "700",
  "/var/lib/outcall": "700",
};
const DOCKER_SOCKET = "/run/docker.sock";

/** Directories of the host that are overlays over the machine's own; only the engine and its host see them. */
const OVERLAID: readonly (readonly [directory: string, ...kept: readonly string[]])[] = [
  ["/etc", "/etc/docker"],
  ["/run", "/run/docker", "/run/containerd"],
  ["/var/lib"],
];

function overlayScript(layers: string): string {
  const each = OVERLAID.map(([directory, ...kept]) => {
    const own = `${layers}${directory}`;
    return `mkdir -p ${own}/upper ${own}/work ${own}/all
mount -t overlay overlay -o lowerdir=${directory},upperdir=${own}/upper,workdir=${own}/work ${own}/all
${kept.map((path) => `mount --rbind ${path} ${own}/all${path.slice(directory.length)}`).join("\n")}
mount --rbind ${own}/all ${directory}`;
  });
  return [`mkdir -p ${layers}`, `mount -t tmpfs tmpfs ${layers}`, ...each].join("\n");
}

/** A host: the engine's mount namespace, with directories and programs at their default paths. */
export class DocumentHost {
  readonly #engine: DockerEngine;

  /** Starts the engine and lays out the host; `stop` ends it. */
  constructor() {
    this.#engine = startEngine();
    const programs = dirname(program("outcall")[0] ?? "");
    this.#inside(`${overlayScript(join(this.#engine.dir, "layers"))}
touch ${DOCKER_SOCKET}
mount --bind ${this.#engine.socketPath} ${DOCKER_SOCKET}
mount -t overlay overlay -o lowerdir=${programs}:/usr/local/bin /usr/local/bin`);
    this.#engine.docker(["tag", BASE_IMAGE, "busybox"]);
  }

  #inside(script: string): void {
    const [command = "", ...rest] = this.#engine.insideArgv(["sh", "-ec", script]);
    const done = spawnSync(command, rest, { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${script}: ${done.stderr}`);
  }

  /** Starts a shell on this host, without remains of the page before. */
  startShell(): DocumentShell {
    const mounts = Object.entries(MODES).map(([path, mode]) =>
      `umount -q ${path} || mkdir -p ${path}; mount -t tmpfs -o mode=${mode} tmpfs ${path}`
    );
    this.#inside(mounts.join("\n"));
    return new DocumentShell(this.#engine.insideArgv(["sh"]));
  }

  /** Removes the containers and networks of a page. */
  clear(): void {
    const ids = this.#engine.docker(["ps", "-aq"]).split("\n").filter((id) => id !== "");
    if (ids.length > 0) this.#engine.docker(["rm", "-f", "-v", ...ids]);
    this.#engine.docker(["network", "prune", "-f"]);
  }

  /** Ends the engine, and the host with it. */
  stop(): void {
    this.#engine.stop();
  }
}

const ENDED = /^([\s\S]*)\u0001(\d+)\u0001\n$/;

/** A shell that runs one command after the other. It also ends what the commands started in the background. */
export class DocumentShell {
  readonly #directory = mkdtempSync(join(tmpdir(), "outcall-session-"));
  readonly #shell: ChildProcess;
  #output = "";
  #heard: () => void = () => {};

  /** Starts the shell in a directory of its own. */
  constructor(argv: readonly string[]) {
    const [command = "", ...rest] = argv;
    const env = {
      PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: this.#directory,
      NO_COLOR: "1",
      DOCKER_BUILDKIT: "0",
    };
    this.#shell = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"], env });
    this.#shell.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      this.#heard();
    });
    this.#shell.once("exit", () => this.#heard());
    this.#shell.stdin?.write(`cd ${this.#directory}\nexec 2>&1\numask 022\n`);
  }

  /** Writes a file that the page shows; a relative path is relative to the shell's directory. */
  async write({ info, text }: Fence): Promise<void> {
    const name = fileNameOf(info) ?? "";
    const mode = text.startsWith("#!") ? 755 : 644;
    const end = "END-OF-THE-FILE";
    await this.#say(`mkdir -p $(dirname ${name})\ncat >${name} <<'${end}'\n${text}${end}\nchmod ${mode} ${name}`);
  }

  /** Runs a command; after a command that starts a daemon, waits until the daemon is ready. */
  run(command: string): Promise<{ readonly status: number; readonly output: string }> {
    const isDaemon = /^outcalld(?! --check| --help| --version)/.test(command);
    return this.#say(isDaemon ? daemonCommand(command) : command);
  }

  async #say(command: string): Promise<{ readonly status: number; readonly output: string }> {
    this.#output = "";
    // A command must not read the shell's own input.
    const script = `{\n(exit \${before:-0})\n${command}\n} </dev/null\nbefore=$?`;
    this.#shell.stdin?.write(`${script}\nprintf '\\001%s\\001\\n' $before\n`);
    for (;;) {
      const ended = ENDED.exec(this.#output);
      if (ended !== null) return { status: Number(ended[2]), output: ended[1] ?? "" };
      if (this.#shell.exitCode !== null) throw new Error(`the shell ended: ${this.#output}`);
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  /** Ends the daemon and the shell. */
  async stop(): Promise<void> {
    await this.#say(END_DAEMON);
    this.#shell.kill("SIGKILL");
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const END_DAEMON = '[ -z "$daemon" ] || { kill $daemon; wait $daemon; daemon=; } 2>/dev/null';

// A second daemon on the same page replaces the first one.
function daemonCommand(command: string): string {
  const isUp = `grep -q '"event":"ready"' daemon.log`;
  return `${END_DAEMON}
: >daemon.log
${command.replace(/^outcalld/, "outcalld --log-format json")} >daemon.log 2>&1 &
daemon=$!
while ! ${isUp} && kill -0 $daemon; do sleep 0.05; done
${isUp} || { cat daemon.log; false; }`;
}
