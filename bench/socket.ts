// One permission check over the socket, session in place, beside the least that can answer there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Daemon, startDaemon } from "../test/support/daemon.ts";
import { inContainer } from "./in-container.ts";
import { compare, quantile } from "./rounds.ts";
import { atMost, type Section, under } from "./section.ts";
import type { Latencies, Load } from "./socket-client.ts";

const ROUNDS = 5;
const REQUESTS = 3_000;
/** Each waits for the disk. */
const DENIALS = 200;
const STEADY: Load["mode"] = { kind: "rate", perSecond: 200, connections: 50, seconds: 5 };

const RULES = `version: "1"
rules:
${
  Array.from({ length: 99 }, (_, at) => `  - {id: r${at}, condition: 'run.path == "/bin/p${at}"', action: allow}\n`)
    .join("")
}
  - {id: last, condition: 'run.path == "/bin/echo"', action: allow}
`;
const ALLOWED = { action_type: "tool_exec", target: "/bin/echo", metadata: { argv: ["hello"] } };
const DENIED = { ...ALLOWED, target: "/bin/other" };
const FLAGS = [
  "--containers",
  "namespace",
  "--bridge",
  "none",
  "--agent-perm-rate",
  "1000000/1",
  "--log-level",
  "warning",
];

/** Measures checks. */
export async function measureSocket(): Promise<Section> {
  const daemon = await startDaemon({ rules: { "a.yaml": RULES }, flags: FLAGS });
  const bare = await startEmpty("bare", daemon);
  const elysia = await startEmpty("elysia", daemon);
  try {
    const socket = daemon.files.agentSocket;
    const sequence = { kind: "sequence", requests: REQUESTS } as const;
    const variants: readonly (readonly [name: string, load: Load])[] = [
      ["empty handler", { socket: bare.socket, checksIn: false, body: ALLOWED, mode: sequence }],
      ["empty Elysia route", { socket: elysia.socket, checksIn: false, body: ALLOWED, mode: sequence }],
      ["allowed", { socket, checksIn: true, body: ALLOWED, mode: sequence }],
      ["denied, and on record before the answer", {
        socket,
        checksIn: true,
        body: DENIED,
        mode: { ...sequence, requests: DENIALS },
      }],
    ];
    const medians = await compare(
      variants.map(([name, load]) => ({ name, measure: async () => quantile(await latencies(load), 0.5) * 1_000 })),
      ROUNDS,
    );
    const steady = await compare([{
      name: "allowed, 99th percentile",
      measure: async () => quantile(await latencies({ socket, checksIn: true, body: ALLOWED, mode: STEADY }), 0.99),
    }], 3);
    return {
      title: "One permission check over the socket",
      notes: [
        "100 rules, session in place, the rate limit raised by its flag; the client is in a PID namespace of its own and asks over one connection, or from 50 connections at 200 a second. The empty handlers listen on the same kind of socket: `node:net` in front of `node:http`.",
      ],
      rows: [
        { what: "Median", unit: "µs", measured: medians, ratio: atMost(medians, "allowed", "empty handler", 2.5) },
        {
          what: "At a steady rate",
          unit: "ms",
          measured: steady,
          ratio: under(steady, "allowed, 99th percentile", 5, "ms"),
        },
      ],
    };
  } finally {
    bare.stop();
    elysia.stop();
    await daemon.dispose();
  }
}

async function latencies(load: Load): Promise<Latencies> {
  const taken = await inContainer("socket-client.ts", [JSON.stringify(load)]);
  if (!Array.isArray(taken)) throw new Error("no latencies");
  return taken.map(Number).toSorted((a, b) => a - b);
}

type Empty = { readonly socket: string; readonly stop: () => void };

async function startEmpty(kind: "bare" | "elysia", { files }: Daemon): Promise<Empty> {
  const socket = join(files.dir, `${kind}.sock`);
  const child = spawn(process.execPath, ["--no-env-file", join(import.meta.dir, "empty-server.ts"), kind, socket], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return { socket, stop: () => void child.kill() };
}
