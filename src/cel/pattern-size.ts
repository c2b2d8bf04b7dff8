// How large a pattern becomes when its repetitions are written out, found without compiling it: `(?:a{1000}){...}` a few
// hundred times is a few kilobytes of text and gigabytes of program.

/** The atoms of a pattern with each `{n,m}` written out; near the size of its program, before any simplification. */
export function expandedSize(source: string): number {
  // By open group, innermost last: what stands before its last atom, and that atom.
  const groups = [{ before: 0, last: 0 }];
  let at = 0;
  while (at < source.length) {
    const group = groups.at(-1);
    if (group === undefined) return Infinity; // more `)` than `(`: the compiler refuses it
    const character = source.charAt(at);
    const length = atomLength(source, at);
    if (length > 0) {
      group.before += group.last;
      group.last = quotedCount(source.slice(at, at + length));
      at += length;
    } else if (character === "(") {
      groups.push({ before: 0, last: 0 });
      at++;
    } else if (character === ")") {
      groups.pop();
      const outer = groups.at(-1);
      if (outer !== undefined) {
        outer.before += outer.last;
        outer.last = group.before + group.last + 2;
      }
      at++;
    } else if (character === "{") {
      const end = source.indexOf("}", at);
      group.last *= end < 0 ? 1 : repetitions(source.slice(at + 1, end));
      at = end < 0 ? at + 1 : end + 1;
    } else {
      group.last++; // `*`, `+`, `?` and `|`
      at++;
    }
  }
  return groups.reduce((size, { before, last }) => size + before + last, 0);
}

// The length of the atom at an offset: a character, an escape, a class or quoted text; 0 for an operator.
function atomLength(source: string, at: number): number {
  const character = source.charAt(at);
  if (character === "\\") return source.charAt(at + 1) === "Q" ? quotedLength(source, at) : 2;
  if (character === "[") return classLength(source, at);
  return "(){}*+?|".includes(character) && character !== "}" ? 0 : 1;
}

function quotedLength(source: string, at: number): number {
  const end = source.indexOf("\\E", at);
  return (end < 0 ? source.length : end + 2) - at;
}

function quotedCount(atom: string): number {
  return atom.startsWith("\\Q") ? atom.length : 1;
}

function classLength(source: string, at: number): number {
  let end = at + 1;
  if (source.charAt(end) === "^") end++;
  if (source.charAt(end) === "]") end++;
  while (end < source.length && source.charAt(end) !== "]") {
    const named = source.startsWith("[:", end) ? source.indexOf(":]", end) : -1;
    end += source.charAt(end) === "\\" ? 2 : named < 0 ? 1 : named + 2 - end;
  }
  return end + 1 - at;
}

// `n`, `n,` and `n,m`; anything else stands for itself.
function repetitions(text: string): number {
  const bounds = text.split(",").map((bound) => bound === "" ? 0 : Number(bound));
  return bounds.every((bound) => Number.isInteger(bound)) ? Math.max(1, ...bounds) : 1;
}
