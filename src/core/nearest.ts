// The nearest known name, for hints such as: did you mean "hostname"?

/** The known name closest to `name` by edit distance, or undefined when none is close enough to be a likely slip. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const limit = slipsIn(name);
  let best: string | undefined;
  let bestDistance = Infinity;
  if (name.length > 128) return undefined;
  for (const candidate of known) {
    const isLonger = isStem(candidate, name) || isStem(name, candidate);
    const isAlike = Math.abs(candidate.length - name.length) <= limit;
    if (!isLonger && !isAlike) continue;
    const typed = isAlike ? editDistance(name.toLowerCase(), candidate.toLowerCase()) : Infinity;
    // A stem counts as near, however many letters it leaves out. A name with one slip is nearer.
    const distance = isLonger ? Math.min(typed, STEM_DISTANCE) : typed;
    if (distance <= limit && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The hint that names the nearest known name, or undefined. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

/** The distance of a stem: just more than one slip. */
const STEM_DISTANCE = 1.5;

/** Whether one name is the beginning of the other, such as "log" of "logging". Two letters are too few to tell. */
function isStem(stem: string, name: string): boolean {
  return stem.length >= 3 && name.toLowerCase().startsWith(stem.toLowerCase());
}

/** Two neighbours in the wrong order, as in `lsit`: further than a stem, nearer than two slips. */
const SWAP_DISTANCE = 1.75;

/** The greatest distance of a likely slip in a name of this length: one letter or a swap in four, two in eight, else three. */
function slipsIn({ length }: string): number {
  return length <= 4 ? SWAP_DISTANCE : length <= 8 ? 2 : 3;
}

function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwapped ? (before[column - 2] ?? 0) + SWAP_DISTANCE : Infinity;
      current.push(Math.min(substitution, swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
