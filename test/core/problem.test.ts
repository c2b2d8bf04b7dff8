// The error names of the specification, each with its codes.
import { expect, test } from "bun:test";
import { type ProblemMeaning, PROBLEMS } from "../../src/core/problem.ts";

test("S004-FR-017 every variant of the seed is one of the closed set of codes, under its name", () => {
  const codes = new Map<string, string[]>();
  for (const [code, { seed }] of Object.entries<ProblemMeaning>(PROBLEMS)) {
    if (seed !== undefined) codes.set(seed, [...(codes.get(seed) ?? []), code]);
  }
  expect(Object.fromEntries(codes)).toEqual({
    SocketBind: ["daemon.socket-bind"],
    PeerIdentification: ["peer.unidentified"],
    CheckinRejected: ["container.unknown"],
    EvaluationTimeout: ["daemon.evaluation-timeout"],
    RateLimited: ["session.rate-limited"],
    InvalidRequest: ["daemon.invalid-request", "daemon.too-large", "daemon.media-type"],
  });
});
