// Reads the plain YAML that most rule files consist of, many times faster than the library, and returns null for any other
// text, which the library then reads. Both give the same tree; a test compares them on random texts. The subset: maps and
// lists by indentation, flow collections of one line, scalars of one line, and literal blocks, with plain names as keys and
// without tags, anchors, empty values or a second document. The end of a block collection is not recorded.
import type { Place } from "../core/span.ts";
import type { YamlList, YamlMap, YamlMember, YamlNode, YamlValue } from "./node.ts";
import type { YamlLimits } from "./scan-yaml.ts";
import type { ScalarSource, ScalarStyle } from "./scalar-place.ts";
import { literalValue, plainValue, quotedValue, type SimpleValue } from "./simple-scalar.ts";

/** The deepest nesting of collections: more than any rule file has. */
export const SIMPLE_DEPTH = 8;

/** Reads a text; null if any part of it is outside the subset, wrong, or could be over a limit. */
export function readSimple(file: string, text: string, limits: YamlLimits): YamlNode | null {
  // A token has at least one character.
  if (text.length > limits.tokens || limits.depth < SIMPLE_DEPTH || NOT_SIMPLE.test(text)) return null;
  return new Reader(file, text).read();
}

const NOT_SIMPLE = /[\t\r\ufeff]/;
const KEY = /[A-Za-z_][A-Za-z0-9_-]{0,99}:(?=[ \n]|$)/y;
const [DASH, HASH, SPACE] = [0x2d, 0x23, 0x20];

class Reader {
  readonly #file: string;
  readonly #text: string;
  // The current line, skipping blank lines and comments; the indentation is -1 after the last line.
  #line = 0;
  #start = 0;
  #end = -1;
  #indent = -1;
  /** The cursor in the line. */
  #at = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  read(): YamlNode | null {
    this.#nextLine();
    const root = this.#indent === 0 ? this.#block(1) : null;
    return this.#isBehindLast() ? root : null;
  }

  #isBehindLast(): boolean {
    return this.#indent === -1;
  }

  #nextLine(): void {
    const text = this.#text;
    for (;;) {
      this.#start = this.#end + 1;
      if (this.#start >= text.length) {
        this.#indent = -1;
        return;
      }
      this.#line++;
      const feed = text.indexOf("\n", this.#start);
      this.#end = feed === -1 ? text.length : feed;
      const at = this.#skipSpaces(this.#start);
      if (at === this.#end || text.charCodeAt(at) === HASH) continue;
      this.#indent = at - this.#start;
      this.#at = at;
      return;
    }
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    return at;
  }

  #isDash(at: number): boolean {
    return this.#text.charCodeAt(at) === DASH && (at + 1 === this.#end || this.#text.charCodeAt(at + 1) === SPACE);
  }

  // Reads a collection that begins at the start of the line.
  #block(depth: number): YamlNode | null {
    if (depth > SIMPLE_DEPTH) return null;
    return this.#isDash(this.#at) ? this.#list(depth) : this.#map(this.#indent, depth);
  }

  // Reads a map whose first key is at the cursor; its other keys are on lines with the same indentation.
  #map(indent: number, depth: number): YamlMap | null {
    if (depth > SIMPLE_DEPTH) return null;
    const place = this.#place(this.#at, this.#at);
    const value: Record<string, YamlValue> = Object.create(null);
    const members = new Map<string, YamlMember>();
    do {
      const key = this.#key();
      if (key === null || members.has(key)) return null;
      const keyPlace = this.#place(this.#at - key.length - 1, this.#at - 1);
      const node = this.#value(indent, depth, true);
      if (node === null) return null;
      members.set(key, { place: keyPlace, node });
      value[key] = node.value;
    } while (this.#indent === indent && !this.#isDash(this.#at));
    return this.#indent > indent ? null : { kind: "map", place, value, members, hasDuplicates: false };
  }

  #list(depth: number): YamlList | null {
    const indent = this.#indent;
    const place = this.#place(this.#at, this.#at);
    const items: YamlNode[] = [];
    do {
      this.#at++;
      const item = this.#item(indent, depth);
      if (item === null) return null;
      items.push(item);
    } while (this.#indent === indent && this.#isDash(this.#at));
    return this.#indent > indent ? null : { kind: "list", place, value: items.map((item) => item.value), items };
  }

  #item(indent: number, depth: number): YamlNode | null {
    const at = this.#skipSpaces(this.#at);
    KEY.lastIndex = at;
    if (!KEY.test(this.#text)) return this.#value(indent, depth, false);
    this.#at = at;
    return this.#map(at - this.#start, depth + 1);
  }

  // Reads a key and its colon.
  #key(): string | null {
    KEY.lastIndex = this.#at;
    if (!KEY.test(this.#text)) return null;
    const key = this.#text.slice(this.#at, KEY.lastIndex - 1);
    this.#at = KEY.lastIndex;
    return key;
  }

  // Reads the value after a colon or dash, to the end of its line. A list may have the indentation of its key.
  #value(indent: number, depth: number, ofKey: boolean): YamlNode | null {
    const at = this.#skipSpaces(this.#at);
    if (at === this.#end || this.#text.charCodeAt(at) === HASH) {
      this.#nextLine();
      const isBelow = this.#indent > indent || (ofKey && this.#indent === indent && this.#isDash(this.#at));
      return isBelow ? this.#block(depth + 1) : null;
    }
    this.#at = at;
    if (this.#text.charAt(at) === "|") return ofKey ? this.#literal(indent) : null;
    const node = this.#flowNode(depth, false);
    return node !== null && this.#endLine() ? node : null;
  }

  // Whether only a comment follows on the line.
  #endLine(): boolean {
    const at = this.#skipSpaces(this.#at);
    const isEnd = at === this.#end || (at > this.#at && this.#text.charCodeAt(at) === HASH);
    if (isEnd) this.#nextLine();
    return isEnd;
  }

  #flowNode(depth: number, inFlow: boolean): YamlNode | null {
    switch (this.#text.charAt(this.#at)) {
      case "{":
        return this.#flowMap(depth + 1);
      case "[":
        return this.#flowList(depth + 1);
      case "'":
        return this.#scalar("single", quotedValue(this.#text, this.#at, this.#end));
      case '"':
        return this.#scalar("double", quotedValue(this.#text, this.#at, this.#end));
      default:
        return this.#scalar("plain", plainValue(this.#text.slice(this.#at, this.#end), inFlow));
    }
  }

  #flowMap(depth: number): YamlMap | null {
    if (depth > SIMPLE_DEPTH) return null;
    const start = this.#at;
    const value: Record<string, YamlValue> = Object.create(null);
    const members = new Map<string, YamlMember>();
    const isWhole = this.#flowItems("}", () => {
      const key = this.#key();
      if (key === null || members.has(key)) return false;
      const place = this.#place(this.#at - key.length - 1, this.#at - 1);
      this.#at = this.#skipSpaces(this.#at);
      const node = this.#flowNode(depth, true);
      if (node === null) return false;
      members.set(key, { place, node });
      value[key] = node.value;
      return true;
    });
    if (!isWhole) return null;
    return { kind: "map", place: this.#place(start, this.#at), value, members, hasDuplicates: false };
  }

  #flowList(depth: number): YamlList | null {
    if (depth > SIMPLE_DEPTH) return null;
    const start = this.#at;
    const items: YamlNode[] = [];
    const isWhole = this.#flowItems("]", () => {
      const node = this.#flowNode(depth, true);
      if (node !== null) items.push(node);
      return node !== null;
    });
    if (!isWhole) return null;
    return { kind: "list", place: this.#place(start, this.#at), value: items.map((item) => item.value), items };
  }

  // Reads brackets and the items between them, on one line, without a trailing comma.
  #flowItems(close: "}" | "]", take: () => boolean): boolean {
    this.#at = this.#skipSpaces(this.#at + 1);
    if (this.#text.charAt(this.#at) === close) return ++this.#at > 0;
    for (;;) {
      if (!take()) return false;
      this.#at = this.#skipSpaces(this.#at);
      const next = this.#text.charAt(this.#at++);
      if (next === close) return true;
      if (next !== ",") return false;
      this.#at = this.#skipSpaces(this.#at);
    }
  }

  // Reads a scalar at the cursor.
  #scalar(style: ScalarStyle, found: SimpleValue | null): YamlNode | null {
    if (found === null) return null;
    const [start, file] = [this.#at, this.#file];
    const end = start + found.length;
    const place = this.#place(start, end);
    this.#at = end;
    const written = (): ScalarSource => {
      return { file, raw: this.#text.slice(start, end), start: { line: place.line, column: place.column }, style };
    };
    return { kind: "scalar", place, value: found.value, text: found.text, written };
  }

  // Reads a literal block: from the line after its header to the last line that is indented deeper than its key.
  #literal(indent: number): YamlNode | null {
    const header = this.#text.slice(this.#at, this.#end);
    const found = literalValue(this.#text, { header, from: this.#end + 1, indent });
    if (found === null) return null;
    const [file, from, line] = [this.#file, this.#end + 1, this.#line];
    const place = { ...this.#place(this.#at, this.#at), endLine: line + found.lines + 1, endColumn: 1 };
    this.#line += found.lines;
    this.#end = from + found.raw.length - 1;
    this.#nextLine();
    const written = (): ScalarSource => {
      const start = { line: line + 1, column: 1 };
      return { file, raw: found.raw, start, style: "literal", block: { header, indent } };
    };
    return { kind: "scalar", place, value: found.text, text: found.text, written };
  }

  #place(start: number, end: number): Place {
    const [file, line, from] = [this.#file, this.#line, this.#start - 1];
    return { file, line, column: start - from, endLine: line, endColumn: end - from };
  }
}
