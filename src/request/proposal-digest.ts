// The digest of the input of an approval: the submitted text, the requester, and the rules in force. If the digest has changed
// since the operator looked, the approval is refused, because it would approve something else.
import { createHash } from "node:crypto";
import type { RuleRequest } from "../wire/stored-request.ts";

/** The digest of a request and the rule set of the given digest: 64 hex characters. */
export function digestOfRequest({ id, requester, submission }: RuleRequest, ruleSetDigest: string): string {
  const parts = [id, requester.id, requester.name, requester.image, requester.named, submission, ruleSetDigest];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
