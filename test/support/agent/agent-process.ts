// A long-running agent: one process in a PID namespace of its own. It can send many requests at once to the agent
// socket, and checks in again after the daemon was restarted.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { BUN } from "../container/container.ts";
import { unshareArgv } from "../host/namespace.ts";

/** The answer to a permission check. */
export type CheckAnswer = { readonly status: number; readonly body: unknown };

type Waiting = { readonly resolve: (answer: CheckAnswer) => void; readonly reject: (cause: Error) => void };

const SCRIPT = `
const socket = { unix: process.env.SOCKET, method: "POST" };
const json = { "content-type": "application/json" };
const post = (path, body) => fetch("http://x" + path, { ...socket, headers: json, body: JSON.stringify(body) });
let token;
const checkIn = async () => (await (await post("/v1/checkin", {})).json()).data.session_token;
const ask = async (body) => {
  token ??= checkIn();
  const answer = await post("/v1/permissions/check", { ...body, session_token: await token });
  if (answer.status === 401) {
    token = checkIn();
    return post("/v1/permissions/check", { ...body, session_token: await token });
  }
  return answer;
};
for await (const line of console) {
  if (line === "") break;
  const { id, body } = JSON.parse(line);
  ask(body).then(async (answer) => ({ status: answer.status, body: await answer.json() })).then(
    (answer) => console.log(JSON.stringify({ id, answer })),
    (cause) => {
      token = undefined;
      console.log(JSON.stringify({ id, error: String(cause) + " closed" }));
    },
  );
}
`;

/** One agent process for a socket. */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  /** Starts the process. It ends together with this one, or when it is stopped. */
  constructor(socketPath: string) {
    const [command = "", ...args] = unshareArgv([BUN, "-e", SCRIPT]);
    const env = { ...process.env, SOCKET: socketPath };
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, answer, error } = JSON.parse(line);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (answer === undefined) waiting?.reject(new Error(error));
      else waiting?.resolve(answer);
    });
    child.unref();
  }

  /** Asks about a program; rejects when no answer comes. */
  check(target: string, argv: readonly string[]): Promise<CheckAnswer> {
    const id = this.#count++;
    const body = { action_type: "tool_exec", target, metadata: { argv } };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, body })}\n`);
    });
  }

  /** Ends the process. */
  stop(): void {
    this.#child.stdin?.end();
  }
}
