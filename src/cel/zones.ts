// Time zones by name. Making the formatter of a zone takes half a millisecond and 50 KB, so those used last are kept. The
// first use of each name in an evaluation is charged as if it had to be made: steps must not depend on earlier requests.
import { TIME_TEXT_LENGTH } from "./limits.ts";

/** Steps of the first use of a zone's name in an evaluation. */
export const ZONE_STEPS = 10_000;

/** Steps of each use of a zone's name. */
export const ZONE_PART_STEPS = 400;

/** How many zones are kept. */
const KEPT_ZONES = 32;

/** The zones that were used last. */
export class ZoneCache {
  readonly #zones = new Map<string, Intl.DateTimeFormat>();

  /** The formatter of a zone, or undefined where no zone has the name. */
  find(name: string): Intl.DateTimeFormat | undefined {
    const found = this.#zones.get(name) ?? makeZone(name);
    if (found === undefined) return undefined;
    // The last one used is the last to go.
    this.#zones.delete(name);
    this.#zones.set(name, found);
    const [oldest] = this.#zones.keys();
    if (this.#zones.size > KEPT_ZONES && oldest !== undefined) this.#zones.delete(oldest);
    return found;
  }
}

function makeZone(timeZone: string): Intl.DateTimeFormat | undefined {
  if (timeZone.length > TIME_TEXT_LENGTH) return undefined;
  const numeric = "numeric";
  const parts = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { ...parts, timeZone, hourCycle: "h23", calendar: "gregory" });
  } catch {
    return undefined; // what Intl says of a zone that it does not know
  }
}
