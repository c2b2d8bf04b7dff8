// Formats a rate for the reference.
import type { Rate } from "../session/rate-window.ts";

/** `100 in 10 s`. */
export function rateText({ count, periodMs }: Rate): string {
  return `${count} in ${periodMs / 1_000} s`;
}
