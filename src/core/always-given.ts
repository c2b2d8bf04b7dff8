// The namespaces of every agent's request that only the daemon knows, as rules see them where it knows nothing.

/**
 * What rules see before an instance writes its first envelope. Its age is the greatest possible, so that a rule that limits
 * the age also covers containers that write no envelope.
 */
export const NO_ENVELOPE = {
  verified: false,
  outcome: "none",
  age_seconds: Number.MAX_SAFE_INTEGER,
  facts: {},
} as const;

/** The container of a request that no container has sent: every member is given, and none names a container. */
export const NO_AGENT = { id: "", name: "", image: "", labels: {}, instance: "", parent: "" } as const;
