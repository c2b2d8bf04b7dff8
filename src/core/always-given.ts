// The namespaces `agent` and `envelope`, which every agent's request has, for a request without a container or an envelope.

/**
 * The `envelope` namespace before an instance writes its first envelope. Its age is the greatest possible, so a rule that
 * limits the age also covers containers that write no envelope.
 */
export const NO_ENVELOPE = {
  verified: false,
  outcome: "none",
  age_seconds: Number.MAX_SAFE_INTEGER,
  facts: {},
} as const;

/** The `agent` namespace of a request that comes from no container: every member is present, and none names a container. */
export const NO_AGENT = { id: "", name: "", image: "", labels: {}, instance: "", parent: "" } as const;
