// How much work a pattern is, found in linear time before RE2 sees it. `(?:a{1000}){...}` a few hundred times is a few
// kilobytes of text and gigabytes of program; `(?i)[k-\x{1E000}...]` visits each character of each range, for seconds.
// What a group, a class and a repetition is must be what the library's parser takes it for, or work could hide from here.
import { classAt, escapeAt } from "./pattern-class.ts";

/** The size of a pattern before it is compiled. */
export type PatternSize = {
  /** Atoms with each `{n,m}` written out: near the size of the program, before any simplification. */
  readonly atoms: number;
  /** What its classes cost beyond the instruction that each of them is. */
  readonly classes: number;
};

/** Measures a pattern, up to where a `)` has no `(`: there the compiler stops too. */
export function measurePattern(source: string): PatternSize {
  return new Measure(source).run();
}

/** A group that is open: what stands before its last atom, that atom, and whether letters of either case are meant. */
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

  // False where a group ends that was not opened.
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

  // `(`, `(?P<name>`, `(?flags:`, and `(?flags)`, which opens no group and holds until the one around it ends.
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

  // Null where what follows `(?` is no list of flags: a name, or what the compiler refuses.
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
      // Its characters are atoms of their own; a repetition behind it may count all of them.
      const length = (end < 0 ? this.#source.length : end + 2) - this.#at;
      return this.#atom(length, length);
    }
    this.#addClass(escapeAt(this.#source, this.#at, this.#group.folds));
  }

  // Building it is paid once, what each copy of it takes with each repetition.
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

// `{n}`, `{n,}` and `{n,m}`; anything else stands for itself, its characters one by one.
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
