// Seconds -> a short text for people.

const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** Seconds in their two largest units, for example `3 h 5 min`. */
export function formatDuration(seconds: number): string {
  const largest = UNITS.findIndex(([size]) => seconds >= size);
  if (largest < 0) return "0 s";
  let rest = Math.floor(seconds);
  const parts = UNITS.slice(largest, largest + 2).map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return { count, unit };
  });
  return parts.filter(({ count }) => count > 0).map(({ count, unit }) => `${count} ${unit}`).join(" ");
}

/** How long ago a time was, in its largest unit, for example `3 h`; a time in the future is `0 s`. */
export function formatAge(at: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(at)) / 1_000);
  return formatDuration(seconds).split(" ").slice(0, 2).join(" ");
}
