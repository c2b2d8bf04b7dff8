// Runs as the first process of a PID namespace with few pids, and starts the built daemon in it. A process of a
// container connects, hands the connection to another process and ends. Then processes of another container are started
// until one of them has its pid. Prints the daemon's answers over the old connection and to the new process, as one
// line of JSON.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentContainer, RELAY } from "../agent/container.ts";
import { BUN, ROOT, Talker } from "../container/container.ts";
import { PLAIN_FLAGS, startDaemon } from "../program/daemon.ts";
import { enterArgv, firstPidOf, startInNamespace } from "./namespace.ts";
import { type RawResponse, requestText } from "../socket/raw-http.ts";

/** What the program prints. */
export type WrapFacts = {
  readonly statuses: { readonly before: number; readonly ended: number; readonly reused: number };
  readonly ids: { readonly old: string; readonly other: string; readonly reusing: string };
  /** The status of a request with the old container's token, sent by the process that now has the pid. */
  readonly stolen: number;
};

/** Enough for the daemon, the containers and their threads, and few enough that the pids repeat within two seconds. */
const PIDS = 1_000;
/** The kernel reserves the pids below this for its own first processes and does not reuse them (RESERVED_PIDS). */
const RESERVED = 300;
/** After this many rounds through all pids, the test gives up. */
const ROUNDS = 20;

const PASS = join(ROOT, "test", "support", "socket", "pass-descriptor.ts");
const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target != ""\', action: allow}\n' };

// The first process of the other container. On command, it starts a process that stops itself and can be continued or
// ended. A process that has not stopped yet is ended by the first signal.
const FORKER = `while read word; do
  case $word in
    fork) sh -c 'kill -STOP $$; exec "$0" "$@" 0<>input' "$@" & ;;
    drop) kill -PIPE $!; kill -CONT $! 2>/dev/null; wait $! ;;
  esac
  echo $word
done`;

if (import.meta.main) {
  writeFileSync("/proc/sys/kernel/pid_max", String(PIDS));
  console.log(JSON.stringify(await play()));
  process.exit(0);
}

async function play(): Promise<WrapFacts> {
  const daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  const { dir, agentSocket } = daemon.files;
  process.chdir(dir);
  spawnSync("mkfifo", ["input"]);
  while ((spawnSync("true").pid ?? 0) < RESERVED);
  const old = await connectOld(dir, agentSocket);
  const before = await old.ask();
  const { container_id, session_token } = JSON.parse(before.body).data;
  await old.end();
  const ended = await old.ask();
  const otherSocket = join(dir, "reusing.sock");
  const other = startInNamespace(["sh", "-c", FORKER, BUN, BUN, RELAY, otherSocket, agentSocket]);
  await takePid(old.pid, other);
  const reusing = await AgentContainer.over(otherSocket, other);
  const reused = await old.ask();
  const beside = join(dir, "beside.sock");
  const neighbour = new Talker(enterArgv(firstPidOf(other), [BUN, RELAY, beside, agentSocket]));
  const facts = {
    statuses: { before: before.status, ended: ended.status, reused: reused.status },
    ids: {
      old: container_id,
      other: (await (await AgentContainer.over(beside, neighbour)).checkIn()).container_id,
      reusing: (await reusing.checkIn()).container_id,
    },
    stolen: (await reusing.check(session_token, { action_type: "tool_exec", target: "x" })).status,
  };
  await daemon.dispose();
  return facts;
}

/**
 * A connection that a process of a container made and a process of the host holds; `end` ends the process that
 * connected.
 */
async function connectOld(dir: string, agentSocket: string) {
  const meeting = join(dir, "meeting.sock");
  const taker = new Talker([BUN, PASS, "take", meeting]);
  await taker.hear();
  const script = `"$@"; exec sleep 1000000`;
  const container = startInNamespace(["sh", "-c", script, "sh", BUN, PASS, "give", agentSocket, meeting]);
  await container.hear();
  await taker.hear();
  const [pid = 0] = childrenOf(firstPidOf(container));
  const ask = async (): Promise<RawResponse> => {
    taker.say(JSON.stringify(requestText({ path: "/v1/checkin" })));
    return JSON.parse(await taker.hear() ?? "null");
  };
  const end = async () => {
    container.process.stdin?.end();
    while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setImmediate(resolve));
  };
  return { pid, ask, end };
}

// Another process or thread may hold the pid for a while, so one round may not be enough.
async function takePid(pid: number, container: Talker): Promise<void> {
  for (let attempt = 0; attempt < PIDS * ROUNDS; attempt++) {
    container.say("fork");
    await container.hear();
    if (childrenOf(firstPidOf(container)).includes(pid)) {
      while (stateOf(pid) !== "T") await new Promise((resolve) => setImmediate(resolve));
      return void process.kill(pid, "SIGCONT");
    }
    container.say("drop");
    await container.hear();
  }
  throw new Error(`pid ${pid} does not come again`);
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

function stateOf(pid: number): string {
  return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
}
