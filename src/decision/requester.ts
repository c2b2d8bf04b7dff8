// Whose decision it is.

/** Who asks: the host's operator, or a container by its id. */
export type Requester = { readonly source: "host" | "agent"; readonly container: string | null };
