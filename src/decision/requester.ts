// Requester: the container or operator that asks for a decision.

/** A requester: a container by its id, or the operator through the host socket. */
export type Requester = { readonly source: "host" | "agent"; readonly container: string | null };

/** Whether the answer is a what-if: the operator asks what would be decided, and no action waits for it. */
export function isWhatIf({ source }: Requester): boolean {
  return source === "host";
}
