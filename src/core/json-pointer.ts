// JSON pointers (RFC 6901), with which schema errors name a place.

/** The parts of a pointer: `/a~1b/0` gives `a/b` and `0`. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** One part, escaped for a pointer. */
export function escapePointerPart(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}
