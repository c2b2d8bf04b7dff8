// A real Docker engine, the built daemon on that engine's host, and containers that tests speak through. Each container
// runs the relay in a directory that it shares with the test, so the daemon's peer is a process of the container.
import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentContainer, RELAY } from "./container.ts";
import { BUN, ROOT, Talker } from "../container/container.ts";
import { type Daemon, type RuleFiles, startDaemon } from "../program/daemon.ts";
import { type ContainerPlan, type DockerEngine, type EngineVariant, startEngine } from "../host/docker.ts";

/** The path of the daemon's socket in a container (S004-FR-002). */
export const INSIDE_SOCKET = "/run/outcall/agent.sock";

/** The path of the directory that containers and the test share. */
const SHARED = "/shared";

/** An agent in a container of the engine. */
export type EngineAgent = { readonly id: string; readonly agent: AgentContainer };

/** The engine and everything that a test started on it; `stop` ends all of it. */
export class AgentEngine {
  readonly engine: DockerEngine;
  readonly shared: string;
  readonly #daemons: Daemon[] = [];
  readonly #talkers: Talker[] = [];

  private constructor(engine: DockerEngine) {
    this.engine = engine;
    this.shared = join(engine.dir, "shared");
    mkdirSync(this.shared);
    // The users of containers may differ from root on the host.
    chmodSync(this.shared, 0o777);
  }

  /** Starts an engine, by default of the kind that the environment variable names. */
  static start(variant: EngineVariant = {}): AgentEngine {
    return new AgentEngine(startEngine(variant));
  }

  /** Starts a daemon on this engine's host. It uses this engine and no bridge, unless the flags say otherwise. */
  async startDaemon(rules: RuleFiles, flags: readonly string[] = []): Promise<Daemon> {
    const usual = { "--containers": "docker", "--docker-socket": this.engine.socketPath, "--bridge": "none" };
    const missing = Object.entries(usual).filter(([name]) => !flags.includes(name)).flat();
    const daemon = await startDaemon({ rules, flags: [...missing, ...flags], before: this.engine.hostArgv([]) });
    this.#daemons.push(daemon);
    return daemon;
  }

  /** Starts a container that can run the tests' programs and has the daemon's agent socket at the usual path. */
  startContainer(daemon: Daemon, plan: ContainerPlan = {}): string {
    const mounts = [
      `${dirname(daemon.files.agentSocket)}:${dirname(INSIDE_SOCKET)}`,
      `${this.shared}:${SHARED}:rw`,
      "/lib:/lib",
      "/lib64:/lib64",
      `${realpathSync(BUN)}:/bin/bun`,
      `${ROOT}:/repo`,
    ];
    return this.engine.startContainer({ ...plan, mounts: [...mounts, ...(plan.mounts ?? [])] });
  }

  /** Starts a container with an agent in it. */
  async startAgent(daemon: Daemon, name: string, plan: ContainerPlan = {}): Promise<EngineAgent> {
    const id = this.startContainer(daemon, { name, ...plan });
    return { id, agent: await this.enter(id, name) };
  }

  /** Starts a relay in a running container, to any socket in it. */
  async enter(id: string, name: string, socket = INSIDE_SOCKET): Promise<AgentContainer> {
    const file = `${name}.sock`;
    return await AgentContainer.over(join(this.shared, file), this.run(id, RELAY, [this.inside(file), socket]));
  }

  /** Starts one of the tests' programs in a running container; `program` is a path in the container. */
  run(id: string, program: string, args: readonly string[]): Talker {
    return this.#keep(this.engine.exec(id, ["/bin/bun", program.replace(ROOT, "/repo"), ...args]));
  }

  /** Starts one of the tests' programs on the host. */
  runOnHost(program: string, args: readonly string[]): Talker {
    return this.#keep(new Talker([BUN, program, ...args]));
  }

  /** A path in the shared directory, as the container sees it. */
  inside(name: string): string {
    return join(SHARED, name);
  }

  #keep(talker: Talker): Talker {
    this.#talkers.push(talker);
    return talker;
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    for (const talker of this.#talkers) await talker.stop();
    for (const daemon of this.#daemons) await daemon.dispose();
    this.engine.stop();
  }
}
