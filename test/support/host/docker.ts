// A real Docker engine for tests, in its own mount and network namespace. It is started once per test file with a
// busybox image, and ended together with all its containers.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingProgram, missingRoot, ROOT, Talker } from "../container/container.ts";

/** The script that starts and stops the engine; it is outside of the repository. */
const START_DOCKER = process.env["OUTCALL_START_DOCKER"] ??
  join(ROOT, "..", "shared", "tools", "start-docker.sh");

/** The image that every engine has. */
export const BASE_IMAGE = "outcall-test/base:1";

/** The options of an engine. */
export type EngineVariant = {
  readonly cgroup?: "v1" | "v2";
  readonly userNamespaces?: boolean;
  /** The cgroup that holds the containers' cgroups, instead of `/docker`. */
  readonly cgroupParent?: string;
};

/** The kinds of engine that identity tests use; the expectations are the same for all. */
export const ENGINE_MODES: readonly (readonly [mode: string, variant: EngineVariant])[] = [
  ["as it comes", {}],
  ["with cgroups of version 2", { cgroup: "v2" }],
  ["with user namespaces", { userNamespaces: true }],
  ["with a cgroup parent of its own", { cgroupParent: "/outcall-test" }],
];

/** A container to be made. */
export type ContainerPlan = {
  readonly image?: string;
  readonly name?: string;
  readonly labels?: { readonly [name: string]: string };
  /** Mounts, read-only by default: `/host:/container[:rw]`. */
  readonly mounts?: readonly string[];
  /** Files that are copied in before the start: host path and container path. */
  readonly files?: readonly (readonly [string, string])[];
  readonly args?: readonly string[];
  readonly command?: readonly string[];
};

/** The reason why no engine can be started on this machine, or undefined. */
export function missingEngine(): string | undefined {
  if (!existsSync(START_DOCKER)) return "start-docker.sh";
  return missingRoot() ?? missingProgram("dockerd") ?? missingProgram("docker") ?? missingProgram("busybox");
}

/** Starts an engine; `stop` ends it. */
export function startEngine(variant: EngineVariant = {}): DockerEngine {
  const dir = mkdtempSync(join(tmpdir(), "outcall-docker-"));
  const env = {
    ...process.env,
    ...(variant.cgroup === undefined ? {} : { OUTCALL_CGROUP: variant.cgroup }),
    ...(variant.userNamespaces === true ? { OUTCALL_USERNS: "1" } : {}),
    ...(variant.cgroupParent === undefined ? {} : { OUTCALL_CGROUP_PARENT: variant.cgroupParent }),
  };
  run(["bash", START_DOCKER, "start", dir], { env });
  const engine = new DockerEngine(dir, env);
  importBase(engine);
  return engine;
}

/** A running engine. */
export class DockerEngine {
  readonly dir: string;
  readonly socketPath: string;
  readonly #env: NodeJS.ProcessEnv;
  // Kept open until the engine has been stopped. The script ends the processes of the mount namespace with this number,
  // and the kernel may give a freed number to the namespace of another engine or container.
  readonly #namespace: number;

  /** An engine that was started in this directory. */
  constructor(dir: string, env: NodeJS.ProcessEnv) {
    this.dir = dir;
    this.socketPath = join(dir, "docker.sock");
    this.#env = env;
    this.#namespace = openSync(`/proc/${this.#pid}/ns/mnt`, "r");
  }

  get #pid(): string {
    return readFileSync(join(this.dir, "pid"), "utf8").trim();
  }

  /** Runs a docker command against this engine and returns its output. */
  docker(args: readonly string[], input?: Buffer): string {
    return run(this.dockerArgv(args), input === undefined ? {} : { input }).trim();
  }

  /** The arguments of a docker command against this engine. */
  dockerArgv(args: readonly string[]): readonly string[] {
    return ["docker", "-H", `unix://${this.socketPath}`, ...args];
  }

  /** Flags for a daemon that uses this engine and no bridge. */
  get daemonFlags(): readonly string[] {
    return ["--containers", "docker", "--docker-socket", this.socketPath, "--bridge", "none"];
  }

  /** The command that runs `argv` on this engine's host, in its network namespace. */
  hostArgv(argv: readonly string[]): readonly string[] {
    return ["bash", START_DOCKER, "exec", this.dir, ...argv];
  }

  /** The prefix that runs a command in the engine's mount namespace too, where its cgroups are mounted. */
  insideArgv(argv: readonly string[]): readonly string[] {
    return ["nsenter", "-t", this.#pid, "-m", "-n", "--", ...argv];
  }

  /** Creates and starts a container that runs until it is removed; returns its full id. */
  startContainer(plan: ContainerPlan = {}): string {
    const { image = BASE_IMAGE, name, labels = {}, mounts = [], files = [], args = [] } = plan;
    const id = this.docker([
      "create",
      "--init=false",
      ...(name === undefined ? [] : ["--name", name]),
      ...Object.entries(labels).flatMap(([label, value]) => ["--label", `${label}=${value}`]),
      ...mounts.flatMap((mount) => ["-v", mount.split(":").length === 2 ? `${mount}:ro` : mount]),
      ...args,
      image,
      ...(plan.command ?? ["sleep", "1000000"]),
    ]);
    for (const [from, to] of files) this.#copy(from, `${id}:${to}`);
    this.docker(["start", id]);
    return id;
  }

  // An engine under load may end a large upload before it has begun, so a failed copy is repeated.
  #copy(from: string, to: string): void {
    const argv = this.dockerArgv(["cp", from, to]);
    for (let tries = 1; tries < COPY_TRIES; tries++) {
      const [command = "", ...args] = argv;
      const done = spawnSync(command, args, { encoding: "utf8" });
      if (done.status === 0) return;
      if (!done.stderr.includes("broken pipe")) break;
    }
    run(argv);
  }

  /** Starts a program in a running container. */
  exec(id: string, argv: readonly string[], args: readonly string[] = []): Talker {
    return new Talker(this.dockerArgv(["exec", "-i", ...args, id, ...argv]));
  }

  /** Ends and removes a container. */
  removeContainer(id: string): void {
    this.docker(["rm", "-f", "-v", id]);
  }

  /** Ends the engine and all its containers, and removes their files. */
  stop(): void {
    run(["bash", START_DOCKER, "stop", this.dir], { env: this.#env });
    closeSync(this.#namespace);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const COPY_TRIES = 3;

// Imports a file system that contains only busybox as an image.
function importBase(engine: DockerEngine): void {
  const root = join(engine.dir, "base");
  for (const dir of ["bin", "tmp", "run", "etc", "proc", "sys", "dev"]) mkdirSync(join(root, dir), { recursive: true });
  copyFileSync(run(["sh", "-c", "command -v busybox"]).trim(), join(root, "bin", "busybox"));
  chmodSync(join(root, "tmp"), 0o1777);
  run(["chroot", root, "/bin/busybox", "--install", "-s", "/bin"]);
  const archive = spawnSync("tar", ["-C", root, "-c", "."], { maxBuffer: 64 * 1024 * 1024 });
  engine.docker(["import", "-c", "ENV PATH=/bin", "-", BASE_IMAGE], archive.stdout);
}

function run(argv: readonly string[], options: { input?: Buffer; env?: NodeJS.ProcessEnv } = {}): string {
  const [program = "", ...rest] = argv;
  const done = spawnSync(program, rest, { ...options, maxBuffer: 64 * 1024 * 1024 });
  if (done.status === 0) return done.stdout.toString();
  throw new Error(`${argv.join(" ")}: status ${done.status}: ${done.error?.message ?? done.stderr.toString()}`);
}
