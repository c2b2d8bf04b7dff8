// One permission check over the socket within a session, compared with the smallest server that could answer there.
import { join } from "node:path";
import { latencyOf } from "./in-container.ts";
import { type Rig, type Started, startListener, startRig } from "./rig.ts";
import { compare } from "./rounds.ts";
import { atMost, type Section, under } from "./section.ts";
import type { Load } from "./socket-client.ts";

const ROUNDS = 7;
const REQUESTS = 4_000;
const WARM_UP = 20_000;
/** Fewer than the allows: each denial waits for the disk. */
const DENIALS = 100;
const STEADY: Load["mode"] = { kind: "rate", perSecond: 200, connections: 50, seconds: 4 };

/** A hundred rules; the last one allows the request. */
export const HUNDRED_RULES = `version: "1"
rules:
${
  Array.from({ length: 99 }, (_, at) => `  - {id: r${at}, condition: 'run.path == "/bin/p${at}"', action: allow}\n`)
    .join("")
}
  - {id: last, condition: 'run.path == "/bin/echo"', action: allow}
`;

/** The request that the rules allow. */
export const ALLOWED = { action_type: "tool_exec", target: "/bin/echo", metadata: { argv: ["hello"] } };

const DENIED = { ...ALLOWED, target: "/bin/other" };

/** Measures checks. */
export async function measureSocket(): Promise<Section> {
  const rig = await startRig({ "a.yaml": HUNDRED_RULES });
  const bare = await startEmpty("bare", rig);
  const elysia = await startEmpty("elysia", rig);
  const own = (body: object) => ({ socket: rig.files.agentSocket, checksIn: true, body });
  const empty = (kind: EmptyKind) => ({ socket: socketOf(kind, rig), checksIn: false, body: ALLOWED });
  const sequence = { kind: "count", requests: REQUESTS, connections: 1 } as const;
  const variants: readonly (readonly [name: string, load: Load])[] = [
    ["empty handler", { ...empty("bare"), mode: sequence }],
    ["empty Elysia route", { ...empty("elysia"), mode: sequence }],
    ["allowed", { ...own(ALLOWED), mode: sequence }],
    ["denied, and logged to disk before the answer", { ...own(DENIED), mode: { ...sequence, requests: DENIALS } }],
  ];
  const measures = variants.map(([name, load]) => ({
    name,
    measure: async () => (await latencyOf(load, 0.5)) * 1_000,
  }));
  try {
    // Warms up: the JIT compilers change a program during its first requests.
    for (const load of [empty("bare"), empty("elysia"), own(ALLOWED)]) {
      await latencyOf({ ...load, mode: { kind: "count", requests: WARM_UP, connections: 8 } }, 0.5);
    }
    const medians = await compare(measures, ROUNDS);
    const steady = await compare([
      { name: "empty handler", measure: () => latencyOf({ ...empty("bare"), mode: STEADY }, 0.99) },
      { name: "allowed", measure: () => latencyOf({ ...own(ALLOWED), mode: STEADY }, 0.99) },
    ], 3);
    return {
      title: "One permission check over the socket",
      notes: [
        "The daemon has 100 rules and default flags, except for the rate limit and the container source. The client runs in a PID namespace of its own and has checked in. For the median, it uses one connection and waits for each answer before it sends the next request, after a warm-up of 20,000 requests to each server. For the steady rate, it sends 200 requests a second over 50 connections. The empty handlers listen like the daemon, with `node:net` in front of `node:http`.",
      ],
      rows: [
        { what: "Median", unit: "µs", measured: medians, ratio: atMost(medians, "allowed", "empty handler", 2.5) },
        {
          what: "99th percentile at a steady rate",
          unit: "ms",
          measured: steady,
          ratio: under(steady, "allowed", 5, "ms"),
        },
      ],
    };
  } finally {
    await bare.stop();
    await elysia.stop();
    await rig.stop();
  }
}

type EmptyKind = "bare" | "elysia";

function socketOf(kind: EmptyKind, { files }: Rig): string {
  return join(files.dir, `${kind}.sock`);
}

function startEmpty(kind: EmptyKind, rig: Rig): Promise<Started> {
  const socket = socketOf(kind, rig);
  const file = join(import.meta.dir, "empty-server.ts");
  return startListener(process.execPath, ["--no-env-file", file, kind, socket], socket);
}
