// What an approval of a request stands for, as one text to compare: the request as it was submitted, by whom, and the rules
// that it would come to stand behind. Another digest, and what an operator was shown is no longer true (pitfall P8).
import { createHash } from "node:crypto";
import type { RuleRequest } from "../wire/stored-request.ts";

/** The digest of a request beside the rule set of the given digest: 64 hex characters. */
export function digestOfRequest({ id, requester, submission }: RuleRequest, ruleSetDigest: string): string {
  const parts = [id, requester.id, requester.name, requester.image, requester.named, submission, ruleSetDigest];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
