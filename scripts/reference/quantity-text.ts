// Formats limits for readers: durations, sizes and counts.

/** `5 s`. */
export function secondsText(milliseconds: number): string {
  return `${milliseconds / 1_000} s`;
}

/** `64 KiB`, `16 MiB`, `253 bytes`. */
export function bytesText(bytes: number): string {
  if (bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

/** `10,000`. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
