// The envelopes of a daemon: their thread, and what the operator should know at the start of the rulespecs that there are.
import type { URL } from "node:url";
import { systemClock } from "../core/clock.ts";
import type { Config } from "./config.ts";
import type { RulespecSource } from "../envelope/rulespec-source.ts";
import { EnvelopeThread } from "../envelope/envelope-thread.ts";
import { Envelopes } from "../envelope/envelopes.ts";
import { formatPlace } from "../reload/report-findings.ts";
import type { Log } from "../log/logger.ts";
import { checkRulespecs } from "../envelope/rulespec-findings.ts";

/** The file of the key of stamps in the state directory. */
export const STAMP_KEY_FILE = "stamp.key";

/** The envelopes, and what ends their thread. */
export type OpenEnvelopes = { readonly envelopes: Envelopes; readonly closeEnvelopes: () => Promise<void> };

/** What envelopes work with. */
export type OpenEnvelopesOptions = {
  readonly config: Config;
  /** The key of stamps. */
  readonly key: Uint8Array;
  /** The entry of the program, which knows by itself that it runs as a worker. */
  readonly program: URL;
  readonly log: Log;
};

/** Opens them; a rulespec that does not load fails every envelope, and is warned of. */
export function openEnvelopes({ config, key, program, log }: OpenEnvelopesOptions): OpenEnvelopes {
  const { stateDir, rulespec: source } = config;
  warnOfRulespecs(source, log);
  const thread = new EnvelopeThread({ stateDir, source, key }, program);
  const envelopes = new Envelopes({ thread, source, stateDir, clock: systemClock });
  return { envelopes, closeEnvelopes: () => thread.close() };
}

function warnOfRulespecs(source: RulespecSource, log: Log): void {
  for (const { code, severity, message, place, hint } of checkRulespecs(source).findings) {
    log.warning("rulespec.finding", { code, severity, place: formatPlace(place, ""), message, hint });
  }
}
