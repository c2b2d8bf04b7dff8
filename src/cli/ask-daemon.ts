// A call of the daemon's host socket -> its data with a type, or the problem.
import type { Decoded, Schema } from "../wire/decode.ts";
import { decodeAnswer, describeRefusal } from "../client/read-answer.ts";
import { call } from "../client/call.ts";
import type { Connection } from "../client/connection.ts";
import type { CliPlan } from "./global-flags.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";

/** How long a command waits for an answer, in milliseconds; a reload of the largest rule set takes far less. */
const TIMEOUT_MS = 30_000;

/** The longest answer that is read, in bytes: enough for the largest rule set, 16 MiB of text escaped as JSON. */
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;

const WHO_MAY =
  "only root, the daemon's user and the operators' group may use the host socket, from the host and not from a container";

/** A call of the host socket. */
export type Question<T extends Schema> = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  /** The schema of the data in a successful answer. */
  readonly data: T;
  readonly timeoutMs?: number;
  /** A connection that other calls use too; without it the call opens its own. */
  readonly connection?: Connection;
};

/** Asks the daemon that the command line names. An error answer is a problem too. */
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
