// Composes syntax tokens into the tree of a document, by YAML 1.2 core. Every key is a string, `<<` too. Duplicate keys are
// found here, because the library's own check compares every pair of keys and is quadratic.
import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  type ParsedNode,
  type Scalar,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Finding } from "../core/finding.ts";
import { invariant } from "../core/invariant.ts";
import { escapeText, quote } from "../core/quote.ts";
import { type Place, placeAt } from "../core/span.ts";
import { quoteHint } from "./quote-hint.ts";
import type { ScalarSource, ScalarStyle } from "./scalar-place.ts";
import type { TextPlaces } from "./text-places.ts";
import type { YamlList, YamlMap, YamlMember, YamlNode, YamlScalar, YamlValue } from "./node.ts";

/** The tree of a document, or null if its syntax is broken. All findings are errors. */
export type YamlDocument = { readonly root: YamlNode | null; readonly findings: readonly Finding[] };

/** The most findings that are reported for one file. Duplicate keys and aliases could give a small file millions. */
export const FINDINGS_LIMIT = 1000;

/** How much of the library's message is shown, in characters: it may quote the whole rest of the file. */
const MESSAGE_LENGTH = 120;

/** How many syntax errors are reported: later ones are mostly consequences of the first. */
export const SYNTAX_ERRORS = 20;

/** Composes the tokens of a text into a tree. */
export function composeYaml(text: string, syntax: readonly CST.Token[], places: TextPlaces): YamlDocument {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    stringKeys: true,
    uniqueKeys: false,
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: "silent",
  });
  keepFirstErrors(composer);
  const [document] = composer.compose(syntax, true, text.length);
  invariant(document !== undefined, "the composer gives a document even for nothing");
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return { root: null, findings: syntaxFindings(errors, text, places) };
  if (document.contents === null) return { root: nothing(placeAt(places.file)), findings: [] };
  const tree = new TreeBuilder(text, places);
  const root = tree.node(document.contents);
  return { root, findings: tree.findings };
}

// The library keeps an Error with a stack for each bad escape, of which a file may have a million, and no option limits that.
function keepFirstErrors(composer: Composer): void {
  const report: unknown = Reflect.get(composer, "onError");
  invariant(typeof report === "function", "the composer reports errors through this member");
  let reported = 0;
  Reflect.set(composer, "onError", (...error: readonly unknown[]) => {
    if (reported++ < SYNTAX_ERRORS) report(...error);
  });
}

function syntaxFindings(errors: readonly YAMLError[], text: string, places: TextPlaces): readonly Finding[] {
  const ordered = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  return ordered.slice(0, SYNTAX_ERRORS).map((error) => {
    const hint = quoteHint(text, ...error.pos);
    const finding: Finding = {
      code: "rule.yaml",
      severity: "error",
      message: describe(error),
      place: places.place(...error.pos),
    };
    return hint === undefined ? finding : { ...finding, hint };
  });
}

/** Messages of the library that name its own parts, in words for the author of the file. */
const PLAIN_MESSAGES: ReadonlyMap<string, string> = new Map([
  ["Unexpected scalar at node end", "unexpected text after the value"],
  ["Nested mappings are not allowed in compact mappings", "a colon and a space in a value that is not quoted"],
]);

function describe(error: YAMLError): string {
  if (error.code === "NON_STRING_KEY") return "a key must be a string";
  const plain = PLAIN_MESSAGES.get(error.message);
  if (plain !== undefined) return plain;
  return escapeText(error.message.charAt(0).toLowerCase() + error.message.slice(1).replace(/\.$/, ""), MESSAGE_LENGTH);
}

/** The null value of an empty document or member. */
function nothing(place: Place): YamlScalar {
  const start = { line: place.line, column: place.column };
  const written = (): ScalarSource => ({ file: place.file, style: "plain", raw: "", start });
  return { kind: "scalar", place, value: null, text: "", written };
}

/** The range of a value in the text, as the library gives it. */
type Extent = readonly [start: number, end: number, ...unknown[]];

/** Builds the tree of one document, in the order of the text: an alias stands for the newest anchor before it. */
class TreeBuilder {
  readonly findings: Finding[] = [];
  readonly #text: string;
  readonly #places: TextPlaces;
  /** The newest node of each anchor, or null while it is being built. */
  readonly #anchors = new Map<string, YamlNode | null>();

  constructor(text: string, places: TextPlaces) {
    this.#text = text;
    this.#places = places;
  }

  node(parsed: ParsedNode): YamlNode {
    if (isAlias(parsed)) return this.#alias(parsed.source, parsed.range);
    const { anchor } = parsed;
    if (anchor !== undefined) this.#anchors.set(anchor, null);
    const node = isScalar(parsed) ? this.#scalar(parsed) : isMap(parsed) ? this.#map(parsed) : this.#list(parsed);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #alias(name: string, extent: Extent): YamlNode {
    const node = this.#anchors.get(name);
    if (node !== null && node !== undefined) return { ...node, place: this.#place(extent) };
    const what = node === null ? "is inside the value that it names" : "names no anchor before it";
    this.#error(`alias ${quote(name)} ${what}`, extent);
    return this.#null(extent);
  }

  #scalar(parsed: Scalar.Parsed): YamlScalar {
    const { value, range, source: text } = parsed;
    if (!text.isWellFormed()) this.#error("an escape stands for half of a surrogate pair", range);
    const isKnown = value === null || typeof value === "boolean" || typeof value === "number" ||
      typeof value === "string";
    invariant(isKnown, "YAML 1.2 core has no other scalars");
    return { kind: "scalar", place: this.#place(range), value, text, written: () => this.#written(parsed) };
  }

  #written({ range, srcToken: token }: Scalar.Parsed): ScalarSource {
    const isBlock = token?.type === "block-scalar";
    const from = isBlock ? range[1] - token.source.length : range[0];
    const { file, line, column } = this.#place([from, from]);
    const source = { file, raw: this.#text.slice(from, range[1]), start: { line, column } };
    const header = isBlock ? token.props[0] : undefined;
    if (!isBlock || header === undefined || !("source" in header)) return { ...source, style: flowStyle(token) };
    const block = { header: header.source, indent: token.indent };
    return { ...source, style: header.source.startsWith("|") ? "literal" : "folded", block };
  }

  #list(parsed: YAMLSeq.Parsed): YamlList {
    const items = parsed.items.map((item) => this.node(item));
    return { kind: "list", place: this.#place(parsed.range), value: items.map((item) => item.value), items };
  }

  #map(parsed: YAMLMap.Parsed): YamlMap {
    const value: Record<string, YamlValue> = Object.create(null);
    const members = new Map<string, YamlMember>();
    let hasDuplicates = false;
    for (const pair of parsed.items) {
      const key = this.node(pair.key);
      const node = pair.value === null ? this.#null([pair.key.range[1], pair.key.range[1]]) : this.node(pair.value);
      invariant(key.kind === "scalar" && typeof key.value === "string", "the composer lets only strings be keys");
      const earlier = members.get(key.value);
      if (earlier === undefined) {
        members.set(key.value, { place: key.place, node });
        value[key.value] = node.value;
      } else {
        hasDuplicates = true;
        const hint = `line ${earlier.place.line} has it already`;
        this.#error(`duplicate key ${quote(key.value)}`, pair.key.range, hint);
      }
    }
    return { kind: "map", place: this.#place(parsed.range), value, members, hasDuplicates };
  }

  #null(extent: Extent): YamlScalar {
    return nothing(this.#place(extent));
  }

  #place(extent: Extent): Place {
    return this.#places.place(extent[0], extent[1]);
  }

  #error(message: string, extent: Extent, hint?: string): void {
    if (this.findings.length > FINDINGS_LIMIT) return;
    const finding: Finding = { code: "rule.yaml", severity: "error", message, place: this.#place(extent) };
    this.findings.push(hint === undefined ? finding : { ...finding, hint });
  }
}

function flowStyle(token: Scalar.Parsed["srcToken"]): ScalarStyle {
  if (token?.type === "single-quoted-scalar") return "single";
  return token?.type === "double-quoted-scalar" ? "double" : "plain";
}
