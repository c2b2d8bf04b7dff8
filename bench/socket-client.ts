// A client in a container: asks one request over and over, and prints what each answer took. One connection after another
// request, or a steady rate over many connections, where the time counts from when a request was due.
import { type RawClient, RawClient as Client, requestText } from "../test/support/raw-http.ts";

/** What to ask, and how. */
export type Load = {
  readonly socket: string;
  /** Whether there is a session to be had first. */
  readonly checksIn: boolean;
  readonly body: object;
  /** One connection, so many requests; or so many a second over so many connections for so many seconds. */
  readonly mode:
    | { readonly kind: "sequence"; readonly requests: number }
    | { readonly kind: "rate"; readonly perSecond: number; readonly connections: number; readonly seconds: number };
};

/** Milliseconds of each request. */
export type Latencies = readonly number[];

if (import.meta.main) {
  const load: Load = JSON.parse(process.argv[2] ?? "");
  console.log(JSON.stringify(await run(load)));
  process.exit(0);
}

async function run({ socket, checksIn, body, mode }: Load): Promise<Latencies> {
  const first = new Client(socket);
  const token = checksIn ? await checkIn(first) : "tok-none";
  const text = requestText({
    path: "/v1/permissions/check",
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (mode.kind === "sequence") {
    const taken: number[] = [];
    for (let sent = 0; sent < mode.requests; sent++) taken.push(await ask(first, text, performance.now()));
    return taken;
  }
  const clients = Array.from({ length: mode.connections }, () => new Client(socket));
  for (const client of clients) await ask(client, text, performance.now());
  const total = mode.perSecond * mode.seconds;
  const startMs = performance.now();
  const turns: Promise<number>[] = [];
  for (let sent = 0; sent < total; sent++) {
    const dueMs = startMs + (sent * 1_000) / mode.perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const client = clients[sent % clients.length];
    if (client !== undefined) turns.push(ask(client, text, performance.now()));
  }
  return await Promise.all(turns);
}

async function ask(client: RawClient, text: string, fromMs: number): Promise<number> {
  client.send(text);
  const answer = await client.answer();
  if (answer?.status !== 200) throw new Error(JSON.stringify(answer));
  return performance.now() - fromMs;
}

async function checkIn(client: RawClient): Promise<string> {
  const answer = await client.ask({ path: "/v1/checkin" });
  return JSON.parse(answer?.body ?? "").data.session_token;
}
