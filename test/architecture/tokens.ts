// TypeScript text -> tokens, precise enough to distinguish code from comments, strings, templates and patterns. The
// source text is read because compiler output no longer contains `import type`.

/** A piece of source text; white space is skipped. */
export type Token = {
  readonly kind: "word" | "number" | "string" | "template" | "pattern" | "comment" | "sign";
  /** The source text; a string without its quotes. */
  readonly text: string;
  readonly line: number;
  /** The number of open brackets of any kind around it. */
  readonly depth: number;
};

type Rule = { readonly kind: Token["kind"] | "space"; readonly pattern: RegExp };

const RULES: readonly Rule[] = [
  { kind: "space", pattern: /\s+/y },
  { kind: "comment", pattern: /\/\/[^\n]*|\/\*[^]*?\*\//y },
  { kind: "string", pattern: /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y },
  { kind: "number", pattern: /\d[\w.]*/y },
  { kind: "word", pattern: /[#@]?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy },
  { kind: "sign", pattern: /=>|\.\.\.|\?\.|[^]/y },
];
const PATTERN: Rule = { kind: "pattern", pattern: /\/(?!\*)(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y };
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;

// After these words, a slash starts a pattern; after any other word or a closing bracket, it is a division.
const BEFORE_PATTERN = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "do",
  "else",
  "void",
  "yield",
  "await",
  "throw",
]);
const CLOSING = new Set([")", "]", "}"]);

/** Reads a whole file. */
export function readTokens(source: string): readonly Token[] {
  // A hashbang is not part of the language.
  return new Reader(source.replace(/^#![^\n]*/, "")).read();
}

class Reader {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  /** The depths at which a template continues after a closing brace. */
  readonly #templates: number[] = [];
  #position = 0;
  #line = 1;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): readonly Token[] {
    while (this.#position < this.#source.length) this.#next();
    return this.#tokens;
  }

  #next(): void {
    const sign = this.#source[this.#position] ?? "";
    if (sign === "`") return this.#template();
    if (sign === "/" && this.#patternMayBegin() && this.#accept(PATTERN)) return;
    for (const rule of RULES) if (this.#accept(rule)) return;
  }

  #accept({ kind, pattern }: Rule): boolean {
    const text = this.#match(pattern);
    if (text === undefined) return false;
    const closes = kind === "sign" && CLOSING.has(text);
    if (closes) this.#depth--;
    if (kind !== "space") this.#push(kind, kind === "string" ? text.slice(1, -1) : text);
    if (kind === "sign" && ["(", "[", "{"].includes(text)) this.#depth++;
    this.#advance(text);
    if (closes && text === "}" && this.#templates.at(-1) === this.#depth) this.#templateText();
    return true;
  }

  #template(): void {
    this.#templates.push(this.#depth);
    this.#advance("`");
    this.#templateText();
  }

  /** Reads to the end of the template, or to an expression in it, which is read as code. */
  #templateText(): void {
    const text = this.#match(TEMPLATE_TEXT) ?? "";
    this.#push("template", text);
    this.#advance(text);
    if (this.#source.startsWith("${", this.#position)) {
      this.#push("sign", "{");
      this.#advance("${");
      this.#depth++;
      return;
    }
    this.#advance("`");
    this.#templates.pop();
  }

  #patternMayBegin(): boolean {
    const before = this.#tokens.findLast((token) => token.kind !== "comment");
    if (before === undefined) return true;
    if (before.kind === "word") return BEFORE_PATTERN.has(before.text);
    return before.kind === "sign" && !CLOSING.has(before.text);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#source)?.[0];
  }

  #push(kind: Token["kind"], text: string): void {
    this.#tokens.push({ kind, text, line: this.#line, depth: this.#depth });
  }

  #advance(text: string): void {
    this.#position += text.length;
    this.#line += text.split("\n").length - 1;
  }
}
