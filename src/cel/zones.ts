// A cache of time zones. Creating the formatter of a zone takes half a millisecond and 50 KB, so the zones used last are
// kept. The first use of a name in an evaluation is always charged as if the formatter had to be created, because the steps
// of an evaluation must not depend on earlier requests.
import { TIME_TEXT_LENGTH } from "./limits.ts";

/** Steps of the first use of a zone's name in an evaluation. */
export const ZONE_STEPS = 10_000;

/** Steps of each further use of the name. */
export const ZONE_PART_STEPS = 400;

/** The number of zones that are kept. */
const KEPT_ZONES = 32;

/** The zones that were used last, by name. */
export class ZoneCache {
  readonly #zones = new Map<string, Intl.DateTimeFormat>();

  /** Returns the formatter of a zone, or undefined if there is no zone of that name. */
  find(name: string): Intl.DateTimeFormat | undefined {
    const found = this.#zones.get(name) ?? makeZone(name);
    if (found === undefined) return undefined;
    // A Map keeps the order of insertion, so the first key is the zone that was not used for the longest time.
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
    return undefined; // Intl throws for an unknown zone
  }
}
