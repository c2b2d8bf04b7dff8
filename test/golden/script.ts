// Golden scripts: text files with command lines, their expected output, and the files that they use.
//
//   # a note
//   $ outcall lint rules.d        a command; words may be quoted like in a shell, NAME=value before it sets a
//   variable
//   < text                        a line of its standard input
//   > text                        a line of its standard output
//   2> text                       a line of its standard error
//   = 1                           its exit status; the default is 0
//   & outcalld --socket ...       a daemon that logs JSON; the script waits until it is ready, and stops it at the
//   end
//   -- rules.d/00.yaml --         a file, up to the next such line; `-- name 755 --` sets its mode
//
// In commands and output, `$DIR` is the working directory; in output, `[...]` stands for any text within a line.

/** One command with its expected results. */
export type Step = {
  readonly line: number;
  /** A command that keeps running; it has no expected output and no status. */
  readonly isDaemon: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
};

/** A file in the working directory of the commands. */
export type ScriptFile = { readonly name: string; readonly mode: number; readonly text: string };

/** A whole script. */
export type Script = { readonly steps: readonly Step[]; readonly files: readonly ScriptFile[] };

const FILE = /^-- (?<name>\S+)(?: (?<mode>[0-7]{3}))? --$/;
const LINE = /^(?<sign>\$|&|<|>|2>|=)(?: (?<text>.*))?$/;

/** Reads a script; a malformed line is an error, so that no expectation is ignored. */
export function parseScript(text: string): Script {
  const lines = text.split("\n");
  const firstFile = lines.findIndex((line) => FILE.test(line));
  const end = firstFile < 0 ? lines.length : firstFile;
  const files: { name: string; mode: number; text: string }[] = [];
  for (const line of lines.slice(end)) {
    const head = FILE.exec(line)?.groups;
    const file = files.at(-1);
    if (head !== undefined) {
      files.push({ name: head["name"] ?? "", mode: parseInt(head["mode"] ?? "644", 8), text: "" });
    } else if (file !== undefined) file.text += `${line}\n`;
  }
  // A blank line before the next file, or at the end, does not belong to the file.
  const trimmed = files.map((file) => ({ ...file, text: file.text.replace(/\n+$/, "\n") }));
  return { steps: parseSteps(lines.slice(0, end)), files: trimmed };
}

type OpenStep = { -readonly [Key in keyof Step]: Step[Key] };

function parseSteps(lines: readonly string[]): readonly Step[] {
  const steps: OpenStep[] = [];
  lines.forEach((line, index) => {
    if (line === "" || line.startsWith("#")) return;
    const { sign, text = "" } = LINE.exec(line)?.groups ?? {};
    if (sign === "$" || sign === "&") {
      const words = splitWords(text);
      const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      const pairs = words.slice(0, start).map((word) => word.split(/=(.*)/s).slice(0, 2));
      const variables = Object.fromEntries(pairs);
      const command = { line: index + 1, isDaemon: sign === "&", variables, words: words.slice(start) };
      steps.push({ ...command, stdin: "", stdout: "", stderr: "", exit: 0 });
      return;
    }
    const step = steps.at(-1);
    if (step === undefined || step.isDaemon || sign === undefined) {
      throw new Error(`line ${index + 1} means nothing: ${line}`);
    }
    if (sign === "<") step.stdin += `${text}\n`;
    else if (sign === ">") step.stdout += `${text}\n`;
    else if (sign === "2>") step.stderr += `${text}\n`;
    else step.exit = Number(text);
  });
  return steps;
}

/** The words of a command line: split at spaces, with quotes removed; nothing else is expanded. */
export function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
}

/** Replaces `$DIR` in a word. */
export function placeDirectory(word: string, directory: string): string {
  return word.replaceAll("$DIR", directory);
}

/** The output in the script's notation: with `$DIR` for the directory, and `[...]` where the script has it. */
export function wordAs(expected: string, output: string, directory: string): string {
  const wanted = expected.split("\n");
  return output.replaceAll(directory, "$DIR").split("\n").map((line, index) => {
    const pattern = wanted[index];
    if (pattern === undefined || !pattern.includes(ANY)) return line;
    const parts = pattern.split(ANY).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "u").test(line) ? pattern : line;
  }).join("\n");
}

const ANY = "[...]";
