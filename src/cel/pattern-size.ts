// Measures in linear time how much work a pattern is, before RE2 compiles it. A few kilobytes of nested repetitions compile
// to gigabytes; `(?i)[k-\x{1E000}...]` takes seconds, because RE2 visits each character of each range. This file must find
// the same groups, flags, classes and repetitions as the RE2 parser, or a pattern could hide its work.
import { classAt, escapeAt } from "./pattern-class.ts";

/** The size of a pattern before it is compiled. */
export type PatternSize = {
  /** Atoms with each `{n,m}` written out. This is close to the size of the program before simplification. */
  readonly atoms: number;
  /** The cost of the classes beyond one instruction each. */
  readonly classes: number;
};

/** Measures a pattern. It stops at a `)` without `(`, because the compiler stops there too. */
export function measurePattern(source: string): PatternSize {
  return new Measure(source).run();
}

/** An open group: the sizes before its last atom and of that atom. With `folds`, case is ignored. */
type Group = {
  before: number;
  last: number;
  classesBefore: number;
  classesLast: number;
  folds: boolean;
  readonly captures: boolean;
};

class Measure {
  readonly #source: string;
  readonly #groups: Group[] = [];
  #group: Group = openGroup(false, false);
  #built = 0;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): PatternSize {
    while (this.#at < this.#source.length && this.#step());
    let [atoms, classes] = [0, this.#built];
    for (const group of [...this.#groups, this.#group]) {
      atoms += group.before + group.last;
      classes += group.classesBefore + group.classesLast;
    }
    return { atoms, classes };
  }

  // Returns false at the end of a group that was not opened.
  #step(): boolean {
    switch (this.#source.charAt(this.#at)) {
      case "(":
        this.#open();
        return true;
      case ")":
        return this.#close();
      case "[":
        this.#class();
        return true;
      case "{":
        this.#repeat();
        return true;
      case "\\":
        this.#escape();
        return true;
      case "*":
      case "+":
      case "?":
      case "|":
        this.#group.last++;
        this.#at++;
        return true;
      default:
        this.#atom(1);
        return true;
    }
  }

  #atom(length: number, atoms = 1): void {
    const group = this.#group;
    group.before += group.last;
    group.last = atoms;
    group.classesBefore += group.classesLast;
    group.classesLast = 0;
    this.#at += length;
  }

  // `(`, `(?P<name>` and `(?flags:` open a group; `(?flags)` changes the flags up to the end of the enclosing group.
  #open(): void {
    const source = this.#source;
    const flags = source.startsWith("(?", this.#at) ? this.#flags() : null;
    if (flags?.end === ")") {
      this.#group.folds = flags.folds;
    } else {
      this.#groups.push(this.#group);
      this.#group = openGroup(flags?.folds ?? this.#group.folds, flags === null);
    }
    this.#at += flags?.length ?? openingLength(source, this.#at);
  }

  // Returns null if `(?` is not followed by flags, but by a name or by text that the compiler refuses.
  #flags(): { readonly folds: boolean; readonly end: string; readonly length: number } | null {
    let folds = this.#group.folds;
    let negated = false;
    for (let at = this.#at + 2; at < this.#source.length; at++) {
      const character = this.#source.charAt(at);
      if (character === ":" || character === ")") return { folds, end: character, length: at + 1 - this.#at };
      if (character === "i") folds = !negated;
      else if (character === "-") negated = true;
      else if (!"msU".includes(character)) return null;
    }
    return null;
  }

  #close(): boolean {
    const outer = this.#groups.pop();
    if (outer === undefined) return false;
    const inner = this.#group;
    this.#group = outer;
    this.#atom(1, inner.before + inner.last + (inner.captures ? 2 : 0));
    outer.classesLast = inner.classesBefore + inner.classesLast;
    return true;
  }

  #class(): void {
    this.#addClass(classAt(this.#source, this.#at, this.#group.folds));
  }

  #escape(): void {
    if (this.#source.startsWith("\\Q", this.#at)) {
      const end = this.#source.indexOf("\\E", this.#at);
      // Each quoted character is an atom. A repetition after `\E` repeats only the last, but is counted for all of them.
      const length = (end < 0 ? this.#source.length : end + 2) - this.#at;
      return this.#atom(length, length);
    }
    this.#addClass(escapeAt(this.#source, this.#at, this.#group.folds));
  }

  // RE2 builds a class once, but each repetition copies it.
  #addClass({ length, build, copy }: { readonly length: number; readonly build: number; readonly copy: number }): void {
    this.#atom(length);
    this.#group.classesLast = copy - 1;
    this.#built += build - copy;
  }

  #repeat(): void {
    const repetition = repetitionAt(this.#source, this.#at);
    if (repetition === null) return this.#atom(1);
    this.#group.last *= repetition.times;
    this.#group.classesLast *= repetition.times;
    this.#at += repetition.length;
  }
}

function openGroup(folds: boolean, captures: boolean): Group {
  return { before: 0, last: 0, classesBefore: 0, classesLast: 0, folds, captures };
}

// The length of `(`, `(?P<name>` or `(?<name>`.
function openingLength(source: string, at: number): number {
  const name = source.startsWith("(?P<", at) ? at + 4 : source.startsWith("(?<", at) ? at + 3 : at;
  if (name === at) return 1;
  let end = name;
  while (NAME.has(source.charAt(end))) end++;
  return source.charAt(end) === ">" ? end + 1 - at : 1;
}

const NAME: ReadonlySet<string> = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

// Reads `{n}`, `{n,}` or `{n,m}`. RE2 takes any other `{` as a literal character.
function repetitionAt(source: string, at: number): { readonly times: number; readonly length: number } | null {
  const least = digitsAt(source, at + 1);
  let end = at + 1 + least.length;
  if (least === "") return null;
  let most = least;
  if (source.charAt(end) === ",") {
    most = digitsAt(source, end + 1);
    end += 1 + most.length;
  }
  if (source.charAt(end) !== "}") return null;
  return { times: Math.max(1, Number(least), Number(most)), length: end + 1 - at };
}

function digitsAt(source: string, at: number): string {
  let end = at;
  while (source.charAt(end) >= "0" && source.charAt(end) <= "9") end++;
  return source.slice(at, end);
}
