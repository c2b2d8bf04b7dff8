// What is done once a daemon has started and has nothing to do: what only its start needed is let go of.
import { releaseProgramPages } from "../peer/program-pages.ts";
import type { Log } from "./log.ts";

/** How long after the start all that only the start needs is done with, in milliseconds. */
const SETTLED_MS = 1_000;

/** Lets go of it in a moment; the result stops that. What cannot be let go of stays, and costs memory alone. */
export function settle(log: Log): () => void {
  const letGo = () => {
    const released = releaseProgramPages();
    if (!released.ok) log.debug("memory.kept", { reason: released.error.message });
  };
  const timer = setTimeout(letGo, SETTLED_MS);
  return () => clearTimeout(timer);
}
