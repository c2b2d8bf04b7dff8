// An argument vector or a shell line -> the same without values of flags with secret names, header values, environment values,
// and user names with passwords. The rest is redacted like any text.
import { endOfWord, isSecretName } from "./hide-named.ts";
import { type HiddenKind, placeholder } from "./placeholder.ts";
import { hidePrivateKeys, redactText } from "./redact-text.ts";

/** The arguments of a program, redacted. `program` is its path or name, if it is known. */
export function redactArguments(argv: readonly string[], program = ""): readonly string[] {
  const tool = program.slice(program.lastIndexOf("/") + 1);
  const usesLogin = argv.includes("login");
  return argv.map((argument, index) => {
    const before = argv[index - 1] ?? program;
    return redactArgument(argument, argument, { before, tool, usesLogin });
  });
}

/** A shell line, redacted word by word. The quotes around a word stay. */
export function redactLine(given: string): string {
  const line = hidePrivateKeys(given);
  const pieces: string[] = [];
  let before = "";
  let tool = "";
  const usesLogin = /\slogin\s/.test(line);
  for (let at = 0; at < line.length;) {
    const end = /\s/.test(line.charAt(at)) ? at + 1 : endOfWord(line, at);
    const raw = line.slice(at, end);
    at = end;
    if (/^\s$/.test(raw)) {
      pieces.push(raw);
      continue;
    }
    const bare = raw.replaceAll(/["'\\]/g, "");
    pieces.push(redactWord(raw, bare, { before, tool, usesLogin }));
    if (LOGIN_TOOLS.test(bare)) tool = bare;
    before = bare;
  }
  return pieces.join("");
}

function redactWord(raw: string, bare: string, around: Around): string {
  const redacted = redactArgument(raw, bare, around);
  const quotes = /^(["'])[\s\S]*\1$/.exec(raw)?.[1] ?? "";
  return redacted === raw || redacted.startsWith(quotes) ? redacted : `${quotes}${redacted}${quotes}`;
}

type Around = { readonly before: string; readonly tool: string; readonly usesLogin: boolean };

// `bare` is the argument as the program receives it, `raw` the same argument in the line, with its quotes.
function redactArgument(raw: string, bare: string, around: Around): string {
  const kind = kindAfter(bare, around);
  if (kind === "header") {
    const colon = bare.indexOf(":");
    return colon < 0 ? placeholder("header", bare) : headerOf(bare, colon);
  }
  if (kind !== null) return placeholder(kind, bare);
  const equals = bare.indexOf("=");
  if (equals > 0) {
    const name = bare.slice(0, equals);
    const value = bare.slice(equals + 1);
    if (isSecretName(name) && isFlagOrName(name)) return `${name}=${placeholder("argument", value)}`;
    if (HEADER_FLAG.test(name) && value.includes(":")) return `${name}=${headerOf(value, value.indexOf(":"))}`;
    if (ENVIRONMENT_FLAG.test(name)) return `${name}=${environmentOf(value)}`;
    if (USER_FLAG.test(name) && value.includes(":")) return `${name}=${placeholder("user info", value)}`;
    if (ENVIRONMENT_NAME.test(name)) return environmentOf(bare);
  }
  const attached = attachedPassword(bare, around);
  return attached ?? redactText(raw);
}

// The kind of an argument that follows a secret flag.
function kindAfter(bare: string, { before, tool, usesLogin }: Around): HiddenKind | null {
  if (before.startsWith("-") && !before.includes("=") && isSecretName(before)) return "argument";
  if (NAME_BEFORE_VALUE.test(before) || (/[:=]$/.test(before) && isSecretName(before))) return "argument";
  if (HEADER_FLAG.test(before)) return "header";
  if (USER_FLAG.test(before) && bare.includes(":")) return "user info";
  const takesPassword = /^(sshpass|mongo(sh|dump|restore)?)$/.test(tool) || usesLogin;
  if (before === "-p" && takesPassword) return "argument";
  return before === "-a" && tool === "redis-cli" ? "argument" : null;
}

// `-psecret`, as the MySQL programs and sshpass accept it.
function attachedPassword(bare: string, { tool }: Around): string | null {
  if (!/^-p./.test(bare) || !/^(sshpass|mysql\w*|mariadb[\w-]*)$/.test(tool)) return null;
  return `-p${placeholder("argument", bare.slice(2))}`;
}

function headerOf(text: string, colon: number): string {
  return `${redactText(text.slice(0, colon))}: ${placeholder("header", text.slice(colon + 1).trimStart())}`;
}

function environmentOf(assignment: string): string {
  const equals = assignment.indexOf("=");
  if (equals < 0) return redactText(assignment);
  return `${assignment.slice(0, equals)}=${placeholder("environment", assignment.slice(equals + 1))}`;
}

function isFlagOrName(name: string): boolean {
  return /^-{0,2}[\w.:/-]+$/.test(name);
}

/** Programs whose short flags take passwords. */
const LOGIN_TOOLS = /^(sshpass|redis-cli|mongo(sh|dump|restore)?|mysql\w*|mariadb[\w-]*)$/;

const HEADER_FLAG = /^(-H|--(proxy-|add-|extra-)?headers?)$/;
const ENVIRONMENT_FLAG = /^(-e|--env|--build-arg|--environment)$/;
const USER_FLAG = /^(-u|-U|--user|--proxy-user)$/;

/** The names of environment variables. */
const ENVIRONMENT_NAME = /^[A-Z_][A-Z0-9_]*$/;

/** Words without dashes that a secret follows: names of settings and of authorization schemes. */
const NAME_BEFORE_VALUE = /^(bearer|basic|[^=]*[._:](pass|password|secret|token|key|authtoken))$/i;
