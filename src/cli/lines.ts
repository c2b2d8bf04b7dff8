// Bytes -> lines of UTF-8 of bounded length, one at a time as they arrive.
import { err, ok, type Result } from "../core/result.ts";

const LINE_FEED = 0x0a;

/** Each line without its line break; an error ends them. The last line needs no line break. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Result<string, string>> {
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      const line = finish([...parts, rest.subarray(0, end)], limitBytes);
      yield line;
      if (!line.ok) return;
      parts = [];
      sizeBytes = 0;
      rest = rest.subarray(end + 1);
    }
    // A copy, because a stream may reuse its buffer.
    parts.push(rest.slice());
    sizeBytes += rest.length;
    if (sizeBytes > limitBytes) {
      yield err(tooLong(limitBytes));
      return;
    }
  }
  if (sizeBytes > 0) yield finish(parts, limitBytes);
}

function finish(parts: readonly Uint8Array[], limitBytes: number): Result<string, string> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  if (bytes.length > limitBytes) return err(tooLong(limitBytes));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return decodeUtf8(bytes);
}

/** Bytes as text, or the error `not UTF-8`. */
export function decodeUtf8(bytes: Uint8Array): Result<string, string> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return err("not UTF-8");
  }
}

function tooLong(limitBytes: number): string {
  return `longer than ${limitBytes} bytes`;
}
