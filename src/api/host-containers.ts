// The host socket's routes of containers and their envelopes.
import { ok } from "../core/result.ts";
import type { HostHandlers, HostOptions } from "./host-options.ts";

/** Makes the handlers. */
export function containerHandlers({ sessions, envelopes }: Pick<HostOptions, "sessions" | "envelopes">): Pick<
  HostHandlers,
  "GET /api/v1/containers" | "GET /api/v1/envelopes" | "GET /api/v1/envelope/:container"
> {
  return {
    "GET /api/v1/containers": () => {
      const listed = sessions.all.map(({ container: { id, name, image }, since }) => {
        return { id, name, image, since: since.toISOString() };
      });
      return ok(listed);
    },
    "GET /api/v1/envelopes": () => ok(envelopes.list()),
    "GET /api/v1/envelope/:container": ({ params }) => envelopes.view(params.container),
  };
}
