// Stage: the envelopes and their thread. Findings in the rulespecs are logged at the start.
import type { URL } from "node:url";
import { systemClock } from "../core/clock.ts";
import type { Config } from "./config.ts";
import type { RulespecSource } from "../envelope/rulespec-source.ts";
import { EnvelopeThread } from "../envelope/envelope-thread.ts";
import { Envelopes } from "../envelope/envelopes.ts";
import { formatPlace } from "../reload/report-findings.ts";
import type { Log } from "../log/logger.ts";
import { checkRulespecs } from "../envelope/rulespec-findings.ts";

/** The options of the stage. */
export type OpenEnvelopesOptions = {
  readonly config: Config;
  /** The key of stamps. */
  readonly key: Uint8Array;
  /** The entry of the program, which runs as a worker too. */
  readonly program: URL;
  readonly log: Log;
};

/** Opens the envelopes. A rulespec that does not load is a warning, and fails every envelope. */
export function openEnvelopes(
  stack: AsyncDisposableStack,
  { config, key, program, log }: OpenEnvelopesOptions,
): Envelopes {
  const { stateDir, rulespec: source } = config;
  warnOfRulespecs(source, log);
  const thread = new EnvelopeThread({ stateDir, source, key }, program);
  stack.defer(() => thread.close());
  return new Envelopes({ thread, source, stateDir, clock: systemClock });
}

function warnOfRulespecs(source: RulespecSource, log: Log): void {
  for (const { code, severity, message, place, hint } of checkRulespecs(source).findings) {
    log.warning("rulespec.finding", { code, severity, place: formatPlace(place, ""), message, hint });
  }
}
