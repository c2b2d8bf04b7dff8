// Scans a text into the syntax tokens of the YAML library, and refuses texts that could make its composer slow or wrong: too
// many tokens, anchors or aliases, deep nesting, directives, tags, a second document. The lexer is lazy, so scanning stops at
// the token that breaks a limit.
import { CST, Lexer, Parser } from "yaml";
import type { Finding } from "../core/finding.ts";
import type { ProblemCode } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { quoteHint } from "./quote-hint.ts";
import type { TextPlaces } from "./text-places.ts";

/** The limits of a text (S003, bombs). */
export type YamlLimits = {
  /** The most lexer tokens, not counting the marks that the lexer adds. */
  readonly tokens: number;
  /** The deepest nesting of collections. */
  readonly depth: number;
  /** The most anchors and aliases together. */
  readonly anchors: number;
};

/** The result of a scan; the syntax is complete only if there are no findings. */
export type YamlScan = {
  readonly syntax: readonly CST.Token[];
  readonly findings: readonly Finding[];
  /** How many tokens were scanned. */
  readonly tokens: number;
};

/** Most tags and directives that are reported; they usually have one cause. */
const REFUSED_TOKENS = 20;

/** Scans a text to its end, or to the first limit that it breaks. */
export function scanYaml(text: string, limits: YamlLimits, places: TextPlaces): YamlScan {
  const scan = new Scan(text, limits, places);
  for (const lexeme of new Lexer().lex(text)) {
    if (!scan.take(lexeme)) return scan.result();
  }
  scan.end();
  return scan.result();
}

/** The state of one scan. */
class Scan {
  readonly #text: string;
  readonly #limits: YamlLimits;
  readonly #places: TextPlaces;
  readonly #parser = new Parser();
  readonly #syntax: CST.Token[] = [];
  readonly #findings: Finding[] = [];
  #tokens = 0;
  #anchors = 0;
  #documents = 0;
  #atScalar = false;
  #atDocumentStart = false;

  constructor(text: string, limits: YamlLimits, places: TextPlaces) {
    this.#text = text;
    this.#limits = limits;
    this.#places = places;
  }

  result(): YamlScan {
    return { syntax: this.#syntax, findings: this.#findings, tokens: this.#tokens };
  }

  /** Takes the next token; false if the scan must stop. */
  take(lexeme: string): boolean {
    const isMark = !this.#atScalar && (lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR);
    if (!isMark && ++this.#tokens > this.#limits.tokens) {
      return this.#stop("rule.limit", `over ${this.#limits.tokens} YAML tokens`, lexeme);
    }
    if (this.#atScalar) this.#atScalar = false;
    else if (!this.#takeToken(lexeme)) return false;
    return this.#advance(lexeme);
  }

  /** Ends the syntax at the end of the text. */
  end(): void {
    this.#syntax.push(...this.#parser.end());
  }

  #takeToken(lexeme: string): boolean {
    const atDocumentStart = this.#atDocumentStart;
    this.#atDocumentStart = false;
    switch (CST.tokenType(lexeme)) {
      case "scalar":
        this.#atScalar = true;
        return true;
      case "doc-mode":
        this.#atDocumentStart = true;
        return ++this.#documents < 2 || this.#stop("rule.yaml", "a second document", lexeme);
      case "doc-start":
        return atDocumentStart || this.#stop("rule.yaml", "a second document", lexeme);
      case "directive-line":
        return this.#refuse(`directive ${quote(lexeme)}`, lexeme);
      case "tag":
        return this.#refuse(`tag ${quote(lexeme)}`, lexeme);
      case "anchor":
      case "alias":
        return ++this.#anchors <= this.#limits.anchors ||
          this.#stop("rule.limit", overAnchors(this.#limits.anchors), lexeme);
      default:
        return true;
    }
  }

  #advance(lexeme: string): boolean {
    const offset = this.#parser.offset;
    for (const token of this.#parser.next(lexeme)) this.#syntax.push(token);
    if (this.#depth() <= this.#limits.depth) return true;
    this.#findings.push(this.#finding("rule.limit", `nested over ${this.#limits.depth} levels`, offset, lexeme.length));
    return false;
  }

  /** The current nesting: the open collections of the parser. */
  #depth(): number {
    const { stack } = this.#parser;
    return stack.length - (CST.isCollection(stack.at(-1)) ? 1 : 2);
  }

  #refuse(what: string, lexeme: string): boolean {
    const { offset } = this.#parser;
    const finding = this.#finding("rule.yaml", `${what} is not allowed`, offset, lexeme.length);
    const hint = quoteHint(this.#text, offset, offset + lexeme.length);
    this.#findings.push(hint === undefined ? finding : { ...finding, hint });
    return this.#findings.length < REFUSED_TOKENS;
  }

  #stop(code: ProblemCode, what: string, lexeme: string): false {
    this.#findings.push(this.#finding(code, what, this.#parser.offset, lexeme.length));
    return false;
  }

  #finding(code: ProblemCode, message: string, offset: number, length: number): Finding {
    return { code, severity: "error", message, place: this.#places.place(offset, offset + length) };
  }
}

function overAnchors(limit: number): string {
  return limit === 0 ? "anchors and aliases are not allowed here" : `over ${limit} anchors and aliases`;
}
