// Decodes the bytes of a file into text for the YAML library: of bounded size, UTF-8, and of YAML's characters only.
// Control characters are refused because the library's lexer uses some of them as marks between its tokens.
import type { Finding } from "../core/finding.ts";
import { err, ok, type Result } from "../core/result.ts";
import { placeAt } from "../core/span.ts";
import { placesOf } from "./text-places.ts";

/** The text without its byte order mark, or the reason why it is refused. */
export function readYamlText(file: string, source: Uint8Array | string, sizeBytes: number): Result<string, Finding> {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  if (bytes.length > sizeBytes) {
    const message = `over ${sizeBytes} bytes of text, found ${bytes.length}`;
    return err({ code: "rule.limit", severity: "error", message, place: placeAt(file) });
  }
  if (typeof source === "string" && !source.isWellFormed()) {
    return err(notText(file, source, source.search(/\p{Cs}/u), "half of a surrogate pair"));
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) return err(notUtf8(file, bytes));
  const bad = text.search(NOT_YAML);
  if (bad === -1) return ok(text);
  const code = text.charCodeAt(bad).toString(16).toUpperCase().padStart(4, "0");
  const what = code === "000D"
    ? "carriage return without a line feed"
    : `character U+${code}, which YAML does not allow`;
  return err(notText(file, text, bad, what));
}

// The characters that are not in c-printable of YAML 1.2, and a lone carriage return, which is a line break in YAML but not
// in the library.
const NOT_YAML = new RegExp(
  "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\ufffe\\uffff]|\\r(?!\\n)",
);

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function notUtf8(file: string, bytes: Uint8Array): Finding {
  const lossy = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const again = new TextEncoder().encode(lossy);
  const bad = again.findIndex((byte, index) => byte !== bytes[index]);
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, bad));
  return notText(file, before, before.length, "bytes that are not UTF-8");
}

function notText(file: string, text: string, offset: number, what: string): Finding {
  const place = placesOf(file, text).place(offset, offset + 1);
  return { code: "rule.yaml", severity: "error", message: what, place };
}
