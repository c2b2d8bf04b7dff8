// Runs commands of `outcall` against a fake daemon that gives the answers of a test.
import { Validator } from "@cfworker/json-schema";
import { expect } from "bun:test";
import { SCHEMAS } from "../../../src/cli/schema.ts";
import { jsonAnswer, type Received, type ScriptedDaemon, startDaemon } from "../socket/scripted-daemon.ts";
import { type Run, type RunOptions, runOutcall } from "./cli-io.ts";

const running: ScriptedDaemon[] = [];

/** Stops the fake daemons of a test. */
export async function stopDaemons(): Promise<void> {
  for (const daemon of running.splice(0)) await daemon.stop();
}

/** The output of a run, and the requests that the daemon received. */
export type Asked = Run & { readonly received: readonly Received[] };

/** Runs a command against a daemon that gives these answers; the last answer is repeated. */
export async function against(
  answers: readonly (readonly [status: number, body: unknown])[],
  argv: readonly string[],
  more?: RunOptions,
): Promise<Asked> {
  let next = 0;
  const daemon = await startDaemon((socket) => {
    const [status, body] = answers[Math.min(next++, answers.length - 1)] ?? [500, null];
    socket.write(jsonAnswer(status, body));
  });
  running.push(daemon);
  const run = await runOutcall([...argv, "--socket", daemon.socketPath], more);
  return { ...run, received: daemon.received };
}

/** A successful answer. */
export const data = (value: unknown): [number, unknown] => [200, { success: true, data: value }];

/** Expects that a line is JSON of a published schema. */
export function expectSchema(name: string, line: string): void {
  const schema = JSON.parse(JSON.stringify(SCHEMAS[name]));
  expect(new Validator(schema, "7").validate(JSON.parse(line)).errors).toEqual([]);
}
