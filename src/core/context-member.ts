// The words in which the context table describes a namespace, a member and a variable.
import type { JsonObject } from "./json.ts";

/** The type of a member or variable in a condition. */
export type FieldType = "string" | "int" | "bool" | "list<string>" | "map<string, string>" | "map<string, dyn>";

/** The JSON value of a member or variable of this type. */
export type ValueOf<Type extends FieldType> = Type extends "string" ? string
  : Type extends "int" ? number
  : Type extends "bool" ? boolean
  : Type extends "list<string>" ? readonly string[]
  : Type extends "map<string, string>" ? { readonly [key: string]: string }
  : JsonObject;

/** The source of a value: the request (the agent's own word unless an enforcement point saw the action), the host, or hooks. */
export type SetBy = "request" | "host" | "hooks";

/** The kind of a map whose keys a record keeps and whose values it hides. */
export type HiddenMap = "fact" | "header" | "label" | "metadata";

/**
 * The form in which a record keeps a value:
 * - `plain`: the value, a number or a bool
 * - `text`: each text without tokens, passwords and other secrets that can be recognised
 * - `path`: a path of a URL, without its query string
 * - `query`: the names of a query string, each value hidden
 * - `target`: the target of an action, which may be a URL or a shell line
 * - `command`: a command line without values of secret flags
 * - `environment`: names of environment variables; a value behind `=` is hidden
 * - `argv`: the arguments of the `run` namespace, without values of secret flags
 * - `in-argv`: nothing, because `run.argv` holds the same texts
 * - `additions`: the names that hooks added to the request's metadata, each value hidden
 * - `hide`: the keys of a map, each value hidden
 */
export type RecordForm =
  | "plain"
  | "text"
  | "path"
  | "query"
  | "target"
  | "command"
  | "environment"
  | "argv"
  | "in-argv"
  | "additions"
  | { readonly hide: HiddenMap };

/**
 * The form in which a line of the daemon's log shows a value. A value without a form is not shown.
 * - `value`: the value
 * - `path`: a path of a URL, without its query string
 * - `target`: the target of an action, without query string; a shell line is replaced by its length
 * - `count`: how many elements a list has
 * - `when-true`: the value of a bool, only where it is true
 */
export type LogForm = "value" | "path" | "target" | "count" | "when-true";

/** The members of every row of the context table. */
type Row = {
  readonly type: FieldType;
  /** One sentence for the reference, the JSON Schema and the host API's description. */
  readonly meaning: string;
  readonly record: RecordForm;
  readonly log?: LogForm;
};

/** A member of a namespace. */
export type MemberRow = Row & {
  /** The source of the value, if it is not that of the namespace. */
  readonly setBy?: SetBy;
  /** The least and the greatest integer that a context from outside may give. */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
};

/** The subjects of requests; each request has only one. */
export type Subject = "connection" | "dns" | "docker" | "run";

/** A namespace with its members. */
export type NamespaceRow = {
  readonly meaning: string;
  /** The requests that have it, as a sentence for the reference. */
  readonly presence: string;
  readonly setBy: SetBy;
  /** The subject that it describes; null if it describes the container that asks. */
  readonly subject: Subject | null;
  /**
   * How `outcall log` prints a request of this namespace: words, with members in braces. `{a|b}` is the first of the two
   * that is given, a list becomes several words, and a word of which no member is given is left out. The last namespace of the
   * table that the record has and that has a line is the one that is printed.
   */
  readonly line: string | null;
  /** The line if `run.parsed` is false: a shell line that was not parsed names its program itself. */
  readonly unparsedLine?: string;
  readonly members: Readonly<Record<string, MemberRow>>;
};

/** A variable that is not a namespace. */
export type VariableRow = Row & {
  readonly setBy: SetBy;
  /** The requests that have it, as a sentence for the reference. */
  readonly presence: string;
  /** Whether every request has it; the zero value of its type stands for a value that was not given. */
  readonly isAlwaysGiven: boolean;
  /** Whether a context from outside may give it. */
  readonly isInput: boolean;
};
