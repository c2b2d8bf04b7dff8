// Connect, check in, ask: the only way to a verdict. Every answer that is not a well-formed verdict is a problem, so a caller
// that acts on `allowed` acts on the daemon's word alone (S004-FR-009).
import { decodeAnswer, describeRefusal, type Reply } from "../client/read-answer.ts";
import { badAnswer, call, isSocketMissing } from "../client/call.ts";
import { Connection } from "../client/connection.ts";
import { countOf } from "../core/count.ts";
import { systemClock } from "../core/clock.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Decoded, Schema } from "../wire/decode.ts";
import { type ActionType, CheckinBody, CheckinData, type PermissionBody, VerdictData } from "../wire/agent-api.ts";
import type { Answer } from "../client/call.ts";

/** The daemon, and how long all calls to it may take together. */
export type Daemon = { readonly socketPath: string; readonly timeoutMs: number };

/** The action that is asked about. */
export type Action = {
  readonly type: ActionType;
  readonly target: string;
  readonly metadata: Readonly<Record<string, string | readonly string[]>>;
};

/** The longest answer that is read, in bytes; a verdict has a few hundred. */
const ANSWER_LIMIT_BYTES = 65_536;

/** The status of a successful check-in and of a verdict. */
const OK = 200;

/** A token that can be sent in a header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** A verdict, and the id of the record of a denial, if the daemon sent one. */
export type Judgement = { readonly verdict: Verdict; readonly record: string | null };

/** The form of a record's id; any other text is not shown. */
const RECORD_ID = /^rec-[0-9a-f]{12}$/;

/** A session with the daemon: the id of the container, and the calls. */
export type Session = {
  readonly containerId: string;
  readonly ask: (action: Action) => Promise<Result<Judgement, Problem>>;
  /** Makes any other call and returns the answer undecoded. */
  readonly send: (question: Question) => Promise<Result<Answer, Problem>>;
};

/** A call that is not about an action. */
export type Question = { readonly method: "GET" | "POST"; readonly path: string; readonly body?: unknown };

/** Connects, checks in and calls `use`; the connection is closed afterwards. */
export async function checkIn<T>(
  daemon: Daemon,
  use: (session: Session) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const connection = new Connection();
  const conversation = { daemon, connection, deadlineMs: systemClock.monotonicMs() + daemon.timeoutMs };
  const session = await openSession(conversation);
  const result = session.ok ? await use(session.value) : session;
  connection.close();
  return result;
}

/** Checks in, then asks about one action. */
export function ask(daemon: Daemon, action: Action): Promise<Result<Judgement, Problem>> {
  return checkIn(daemon, (session) => session.ask(action));
}

type Conversation = { readonly daemon: Daemon; readonly connection: Connection; readonly deadlineMs: number };

async function openSession(conversation: Conversation): Promise<Result<Session, Problem>> {
  const empty: Decoded<typeof CheckinBody> = {};
  const data = await post(conversation, "/v1/checkin", { body: empty }, CheckinData);
  if (!data.ok) return data;
  const { container_id, session_token: token } = data.value.data;
  if (!TOKEN.test(token)) {
    return err(problem("agent.unreachable", "outcalld's answer is not understood: its session token is malformed"));
  }
  return ok({
    containerId: container_id,
    ask: async ({ type: action_type, target, metadata }) => {
      const body: PermissionBody = { action_type, target, metadata };
      const answer = await post(conversation, "/v1/permissions/check", { body, token }, VerdictData);
      if (!answer.ok) return answer;
      const { data: verdict, record = "" } = answer.value;
      return ok({ verdict, record: RECORD_ID.test(record) ? record : null });
    },
    send: (question) => send(conversation, { ...question, token }),
  });
}

async function post<T extends Schema>(
  { daemon, connection, deadlineMs }: Conversation,
  path: string,
  content: { readonly body: unknown; readonly token?: string },
  schema: T,
): Promise<Result<{ readonly data: Decoded<T>; readonly record: string | undefined }, Problem>> {
  const answer = await call({
    socketPath: daemon.socketPath,
    method: "POST",
    path,
    ...content,
    timeoutMs: Math.max(0, deadlineMs - systemClock.monotonicMs()),
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    connection,
  });
  if (!answer.ok) return err(describeUnreachable(daemon, answer.error));
  const reply = decodeAnswer(schema, answer.value);
  if (!reply.ok) return err(describeUnreachable(daemon, reply.error));
  if (reply.value.kind === "refused") return err(describeRefused(reply.value));
  if (reply.value.status !== OK) return err(describeUnreachable(daemon, badAnswer(`status ${reply.value.status}`)));
  return ok({ data: reply.value.data, record: answer.value.record });
}

async function send(
  { daemon, connection, deadlineMs }: Conversation,
  question: Question & { readonly token: string },
): Promise<Result<Answer, Problem>> {
  const answer = await call({
    socketPath: daemon.socketPath,
    ...question,
    timeoutMs: Math.max(0, deadlineMs - systemClock.monotonicMs()),
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    connection,
  });
  return answer.ok ? answer : err(describeUnreachable(daemon, answer.error));
}

/** Makes the problem of a daemon that does not answer, or whose answer is not understood. */
export function describeUnreachable(daemon: Daemon, cause: Problem): Problem {
  const missing = `agent socket not found at ${escapeText(daemon.socketPath)} -- is outcalld running?`;
  const hint = cause.hint === undefined ? {} : { hint: cause.hint };
  return problem("agent.unreachable", isSocketMissing(cause) ? missing : cause.message, { cause, ...hint });
}

/** Makes the problem of a call that the daemon refused. */
export function describeRefused(refused: Extract<Reply<never>, { kind: "refused" }>): Problem {
  if (refused.status !== 429) return problem("agent.unreachable", describeRefusal(refused).message);
  const seconds = refused.retryAfterSeconds;
  if (seconds === undefined) return problem("agent.denied", "rate limited: try again later");
  return problem("agent.denied", `rate limited: try again in ${countOf(seconds, "second")}`);
}
