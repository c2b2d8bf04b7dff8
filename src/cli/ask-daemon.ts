// A question to the daemon over its host socket -> typed data, or why there is none.
import type { Decoded, Schema } from "../wire/decode.ts";
import { decodeAnswer, describeRefusal } from "../client/read-answer.ts";
import { call } from "../client/call.ts";
import type { Connection } from "../client/connection.ts";
import type { CliPlan } from "./global-flags.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";

/** How long a command waits for an answer that needs no hook: a reload of the largest rule set is far below. */
const TIMEOUT_MS = 30_000;

/** The longest answer that is read: 10,000 rules of 16 MiB in all, escaped as JSON, fit. */
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;

const WHO_MAY =
  "it is for root and outcalld's own user, in outcalld's namespaces, and for nothing whose cgroup names a container";

/** A question. */
export type Question<T extends Schema> = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  /** What a successful answer holds. */
  readonly data: T;
  readonly timeoutMs?: number;
  /** Shared with other questions. */
  readonly connection?: Connection;
};

/** Asks the daemon that the command line names; its refusal is a problem as well. */
export async function ask<T extends Schema>(
  plan: CliPlan,
  { data, timeoutMs = TIMEOUT_MS, ...request }: Question<T>,
): Promise<Result<Decoded<T>, Problem>> {
  const socketPath = plan.flags.socket;
  const answer = await call({ ...request, socketPath, timeoutMs, answerLimitBytes: ANSWER_LIMIT_BYTES });
  if (!answer.ok) return answer;
  const reply = decodeAnswer(data, answer.value);
  if (!reply.ok) return reply;
  if (reply.value.kind === "data") return ok(reply.value.data);
  const refused = describeRefusal(reply.value);
  return err(refused.code === "daemon.forbidden" ? { ...refused, hint: WHO_MAY } : refused);
}
