// Shell line -> argument vector, if the line is one simple command (words and quotes only) that dash, bash, busybox and ksh read
// alike. Any other line is not parsed, and rules see the whole line. In doubt a line is not parsed, so that rules never see
// another vector than the shell makes.

/** Returns the argument vector (argv[0] first) of a line that is one simple command, or null. */
export function parseShellLine(line: string): readonly string[] | null {
  const words: string[] = [];
  let at = skipBlanks(line, 0);
  while (at < line.length) {
    const word = readWord(line, at);
    if (word === null) return null;
    words.push(word.text);
    at = skipBlanks(line, word.end);
  }
  const [name] = words;
  return name !== undefined && isCommandName(name) ? words : null;
}

// The reserved words of POSIX, bash, ksh and zsh.
const RESERVED: ReadonlySet<string> = new Set(
  ("if then else elif fi do done case esac while until for in select function time coproc namespace repeat foreach end " +
    "nocorrect noglob { } ! [[ ]]").split(" "),
);

// False for names that a shell may read as an assignment, a reserved word, a job, or an option of `sh -c`, even if quoted.
function isCommandName(name: string): boolean {
  return !/^$|^[-+%!]|=|\/$|(^|\/)\.\.?$/.test(name) && !RESERVED.has(name);
}

type Piece = { readonly text: string; readonly end: number };

function skipBlanks(line: string, start: number): number {
  let at = start;
  while (isBlank(line, at)) at++;
  return at;
}

function isBlank(line: string, at: number): boolean {
  return line[at] === " " || line[at] === "\t";
}

function readWord(line: string, start: number): Piece | null {
  if (line[start] === "#" || line[start] === "~") return null;
  let text = "";
  let brace = false;
  let at = start;
  while (at < line.length && !isBlank(line, at)) {
    const piece = readPiece(line, at);
    if (piece === null) return null;
    brace ||= line[at] === "{";
    text += piece.text;
    at = piece.end;
  }
  // bash running as sh expands {a,b} and {1..3}; every shell keeps {} and HEAD@{1}.
  return brace && /,|\.\./.test(text) ? null : { text, end: at };
}

function readPiece(line: string, at: number): Piece | null {
  switch (line[at]) {
    case "'":
      return readSingleQuoted(line, at);
    case '"':
      return readDoubleQuoted(line, at);
    case "\\":
      return readEscaped(line, at);
    case undefined:
      return null;
    default:
      return readPlain(line, at);
  }
}

function readSingleQuoted(line: string, start: number): Piece | null {
  const close = line.indexOf("'", start + 1);
  return close === -1 ? null : { text: line.slice(start + 1, close), end: close + 1 };
}

function readDoubleQuoted(line: string, start: number): Piece | null {
  let text = "";
  for (let at = start + 1; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '"') return { text, end: at + 1 };
    if (character === "$" || character === "`") return null;
    if (character !== "\\") {
      text += character;
      continue;
    }
    const next = line.charAt(++at);
    if (next === "\n") return null;
    text += /["$`\\]/.test(next) ? next : character + next;
  }
  return null;
}

// A backslash before a line feed continues the line.
function readEscaped(line: string, at: number): Piece | null {
  const next = line.codePointAt(at + 1);
  if (next === undefined || next === 0x0a) return null;
  const text = String.fromCodePoint(next);
  return { text, end: at + 1 + text.length };
}

// Operators, expansions, patterns, and blanks and control characters that depend on the shell or locale.
const SPECIAL = /[;&|<>()$`*?[\p{Cc}\s]/u;

function readPlain(line: string, at: number): Piece | null {
  const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
  if (SPECIAL.test(character)) return null;
  // Some shells expand a tilde after these characters, as in an assignment.
  if (character === "~" && /[:=]/.test(line.charAt(at - 1))) return null;
  return { text: character, end: at + character.length };
}
