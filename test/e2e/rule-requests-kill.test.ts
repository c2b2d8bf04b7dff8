// The built daemon is killed at random moments while agents submit requests and the operator decides. Every answer
// still holds after the next start, a rule is in force only if its request is approved, and no approval is half done.
import { roundsOf } from "../support/cases.ts";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { missingRoot, requirement } from "../support/container/container.ts";
import { AgentContainer } from "../support/agent/container.ts";
import { Daemon, daemonArgv, type DaemonFiles, layOut, PLAIN_FLAGS } from "../support/program/daemon.ts";
import { rmSync } from "node:fs";
import { type Random, seededRandom } from "../support/random.ts";
import { idOf, memberOf, NO_RATE_LIMIT, operate, Requester, ruleAbout } from "../support/request/client.ts";

setDefaultTimeout(300_000);

const ROUNDS = roundsOf(100, 15);
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
/** The kill comes after some answers, at the latest this many milliseconds later; an approval takes longer. */
const KILL_WITHIN_MS = 40;
const ANSWERS = 6;

/** What the daemon answered about a request; `asked` is a decision that it has not confirmed yet. */
type Known = { said: "pending" | "approved" | "rejected"; asked: "approve" | "deny" | null };

const { label, skip } = requirement("rule requests and kills", missingRoot());

describe.skipIf(skip)(label, () => {
  const files: DaemonFiles = layOut({ "00.yaml": `version: "1"\nrules: []\n` });
  const known = new Map<string, Known>();
  const random = seededRandom(SEED);
  let container: AgentContainer;
  let hosts = 0;
  let answers = 0;
  let onAnswer: () => void = () => {};

  beforeAll(async () => {
    container = await AgentContainer.start(files.dir, "one", files.agentSocket);
  });
  afterAll(async () => {
    await container.stop();
    rmSync(files.dir, { recursive: true, force: true });
  });

  async function start(): Promise<Daemon> {
    const [command = "", ...argv] = daemonArgv(files, PLAIN_FLAGS);
    const child = spawn(command, argv, {
      stdio: ["ignore", "inherit", "pipe"],
      env: { ...process.env, ...NO_RATE_LIMIT },
    });
    const daemon = new Daemon(files, child);
    await daemon.record({ event: "ready" });
    return daemon;
  }

  // Sends one action after the other until the daemon is gone, and remembers the answers.
  async function act(daemon: Daemon, agent: Requester): Promise<void> {
    for (;;) {
      const pending = [...known].filter(([, { said, asked }]) => said === "pending" && asked === null).map(([id]) =>
        id
      );
      const isFull = pending.length > 10;
      if (pending.length === 0 || (!isFull && random.below(3) === 0)) {
        const id = await agent.submit(ruleAbout(`h${hosts++}.example`));
        known.set(id, { said: "pending", asked: null });
      } else {
        await decide(daemon, random.pick(pending));
      }
      answers++;
      onAnswer();
    }
  }

  async function decide(daemon: Daemon, id: string): Promise<void> {
    const asked = random.below(4) === 0 ? "deny" : "approve";
    known.set(id, { said: "pending", asked });
    const answer = await operate(daemon, "POST", `/api/v1/rule-request/${id}/${asked}`, {});
    if (answer.status !== 200) throw new Error(`${asked}: ${answer.status} ${answer.error}`);
    known.set(id, { said: asked === "deny" ? "rejected" : "approved", asked: null });
  }

  async function answered(count: number): Promise<void> {
    const until = answers + count;
    while (answers < until) await new Promise<void>((resolve) => (onAnswer = resolve));
  }

  async function killSomewhere(daemon: Daemon, random: Random): Promise<void> {
    const agent = await Requester.checkIn(container);
    // Two at a time, so that a kill interrupts more than one action. Both end when the kill closes their connections.
    const acting = [act(daemon, agent), act(daemon, agent)].map((each) =>
      each.catch((cause: unknown) => String(cause))
    );
    await Promise.race([answered(random.below(ANSWERS)), ...acting]);
    await new Promise((resolve) => setTimeout(resolve, random.below(KILL_WITHIN_MS * 4) / 4));
    await daemon.end("SIGKILL");
    for (const ended of await Promise.all(acting)) {
      expect({ seed: SEED, ended }).toEqual({ seed: SEED, ended: expect.not.stringMatching(/: [1-5]\d\d /) });
    }
  }

  // After a start, everything that was answered holds. An unanswered action happened completely or not at all.
  async function look(daemon: Daemon): Promise<void> {
    const { data } = await operate(daemon, "GET", "/api/v1/rule-requests");
    const listed = Array.isArray(data) ? data : [];
    const status = new Map(listed.map((each) => [idOf(each), String(memberOf(each, "status"))]));
    for (const [id, { said, asked }] of known) {
      const now = status.get(id);
      const may: readonly string[] = asked === null ? [said] : [said, asked === "deny" ? "rejected" : "approved"];
      expect({ seed: SEED, id, said, asked, now, holds: may.includes(now ?? "") })
        .toEqual({ seed: SEED, id, said, asked, now, holds: true });
    }
    for (const [id, now] of status) {
      if (now === "pending" || now === "approved" || now === "rejected") known.set(id, { said: now, asked: null });
    }
    const approved = [...status].filter(([, now]) => now === "approved").map(([id]) => id).sort();
    const names = readdirSync(files.rulesDir).filter((name) => name !== "00.yaml").sort();
    expect({ seed: SEED, names }).toEqual({ seed: SEED, names: approved.map((id) => `90-agent-${id}.yaml`) });
    const rules = (await operate(daemon, "GET", "/api/v1/rules")).data;
    const live = Array.isArray(rules) ? rules.map(idOf).sort() : [];
    expect({ seed: SEED, live }).toEqual({ seed: SEED, live: approved.map((id) => `agent-${id}`) });
  }

  test(`S003-FR-025 ${ROUNDS} kills lose nothing that was acknowledged and leave nothing half approved (seed ${SEED})`, async () => {
    let undone = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const daemon = await start();
      undone += daemon.records.filter(({ event }) => event === "rule-request.reverted").length;
      await look(daemon);
      await killSomewhere(daemon, random);
    }
    const last = await start();
    await look(last);
    await last.end();
    const said = [...known.values()].map((each) => each.said);
    const count = (wanted: string) => said.filter((each) => each === wanted).length;
    console.log(
      `kills: seed ${SEED}, ${ROUNDS} rounds, ${count("approved")} approved, ${count("rejected")} rejected, ` +
        `${count("pending")} pending, ${undone} approvals cut off and undone`,
    );
    expect(count("approved")).toBeGreaterThan(0);
    expect(count("rejected")).toBeGreaterThan(0);
  });
});
