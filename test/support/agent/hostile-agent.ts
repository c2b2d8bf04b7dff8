// An agent that does not use the shim: a process in a PID namespace of its own sends arbitrary requests to the agent
// socket.
import { spawnSync } from "node:child_process";
import { BUN } from "../container/container.ts";
import { unshareArgv } from "../host/namespace.ts";

/** One request; `$TOKEN` in its body and headers is replaced by the token of an earlier check-in of the same run. */
export type AgentCall = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The answer to a call. */
export type AgentAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

const SCRIPT = `
let token = "";
const fill = (text) => text?.replaceAll("$TOKEN", token);
const answers = [];
for (const call of JSON.parse(await Bun.stdin.text())) {
  const headers = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, fill(value)]));
  const answer = await fetch("http://x" + call.path, { unix: process.env.SOCKET, method: call.method, headers, body: fill(call.body) });
  const text = await answer.text();
  token = /tok-[A-Za-z0-9_-]{43}/.exec(text)?.[0] ?? token;
  answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers), text });
}
console.log(JSON.stringify(answers));
`;

/** Sends the requests one after the other, from one process in a new PID namespace. */
export function callAsAgent(socketPath: string, calls: readonly AgentCall[]): readonly AgentAnswer[] {
  return JSON.parse(runAsAgent(socketPath, SCRIPT, JSON.stringify(calls.map(complete))));
}

/** Runs a script of the test in a new PID namespace and returns its output. */
export function runAsAgent(socketPath: string, script: string, input = ""): string {
  const [command = "", ...args] = unshareArgv([BUN, "-e", script]);
  const env = { ...process.env, SOCKET: socketPath };
  const done = spawnSync(command, args, { encoding: "utf8", env, input, maxBuffer: 64 * 1024 * 1024 });
  if (done.status === 0) return done.stdout;
  throw new Error(`agent script: status ${done.status}: ${done.stderr}`);
}

function complete({ method = "POST", path, headers, body }: AgentCall): AgentCall {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  return { method, path, headers: headers ?? json, ...(body === undefined ? {} : { body }) };
}
