// A context -> its recorded form, by the forms of the context table: redacted texts and arguments, and names with typed
// placeholders for hidden values. A name that the table does not have is kept without its value.
import type { Context, RunContext } from "../core/context.ts";
import type { RecordForm } from "../core/context-member.ts";
import { CONTEXT_NAMESPACES, CONTEXT_VARIABLES } from "../core/context-table.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { hideQuery } from "./hide-urls.ts";
import { isSecretName } from "./hide-named.ts";
import { type HiddenKind, placeholder } from "./placeholder.ts";
import { redactArguments, redactLine } from "./redact-arguments.ts";
import { redactText } from "./redact-text.ts";

/** A fact about a context that its caller knows. */
export type RedactContextOptions = {
  /** Whether `run.argv` is the original vector; otherwise it may have been put together from flags and arguments. */
  readonly ordered: boolean;
};

/** The context without anything that may not be stored. */
export function redactContext(context: Context, { ordered }: RedactContextOptions): JsonObject {
  const given: JsonObject = context;
  const whole = { context, ordered };
  const redacted: [string, Json][] = [];
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value === undefined) continue;
    const members = MEMBER_FORMS.get(name);
    if (members !== undefined && isJsonObject(value)) redacted.push([name, redactNamespace(members, value, whole)]);
    else redactEntry(redacted, name, value, VARIABLE_FORMS.get(name), whole);
  }
  return Object.fromEntries(redacted);
}

type Forms = ReadonlyMap<string, RecordForm>;

const VARIABLE_FORMS: Forms = formsOf(CONTEXT_VARIABLES);
const MEMBER_FORMS: ReadonlyMap<string, Forms> = new Map(
  Object.entries(CONTEXT_NAMESPACES).map(([name, { members }]) => [name, formsOf(members)]),
);

function formsOf(rows: Readonly<Record<string, { readonly record: RecordForm }>>): Forms {
  return new Map(Object.entries(rows).map(([name, { record }]) => [name, record]));
}

// The context and the options, which some forms need besides the value.
type Whole = { readonly context: Context; readonly ordered: boolean };

function redactNamespace(forms: Forms, given: JsonObject, whole: Whole): JsonObject {
  const redacted: [string, Json][] = [];
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value !== undefined) redactEntry(redacted, name, value, forms.get(name), whole);
  }
  // `run.argv` is recorded even if only its parts were given.
  if (given === whole.context.run && given["argv"] === undefined) redactEntry(redacted, "argv", [], "argv", whole);
  return Object.fromEntries(redacted);
}

// Adds no entry for a value that another member repeats. A name that the table does not have is kept without its value.
function redactEntry(
  redacted: [string, Json][],
  name: string,
  value: Json,
  form: RecordForm | undefined,
  whole: Whole,
): void {
  if (form === undefined) return void redacted.push([redactText(name), hidden("unknown", value)]);
  const kept = redactValue(form, value, whole);
  if (kept !== undefined) redacted.push([name, kept]);
}

function redactValue(form: RecordForm, value: Json, { context, ordered }: Whole): Json | undefined {
  if (typeof form === "object") return isJsonObject(value) ? hideValues(form.hide, value) : hidden(form.hide, value);
  switch (form) {
    case "plain":
      return typeof value === "number" || typeof value === "boolean" ? value : hidden("unknown", value);
    case "text":
      return mapTexts(value, redactText);
    case "path":
      return mapTexts(value, (text) => redactText(hideQuery(text)));
    case "query":
      return mapTexts(value, redactQuery);
    case "target":
      return mapTexts(value, (text) => redactTarget(context.action_type, text));
    case "command":
      return isTextList(value) ? redactArguments(value) : hidden("argument", value);
    case "environment":
      return mapTexts(value, redactEnvironment);
    case "argv":
      return redactVector(context.run ?? {}, ordered);
    case "in-argv":
      return undefined;
    case "additions":
      return isJsonObject(value) ? redactAdditions(value, context) : hidden("metadata", value);
  }
}

function mapTexts(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value);
  return isTextList(value) ? value.map(redact) : hidden("unknown", value);
}

function isTextList(value: Json): value is readonly string[] {
  return isJsonList(value) && value.every((each) => typeof each === "string");
}

/** A target as it was given or in its canonical form, by the kind of action it belongs to. */
export function redactTarget(actionType: string | undefined, target: string): string {
  if (actionType === "shell_exec") return redactLine(target);
  return redactText(actionType === "network_call" ? hideQuery(target) : target);
}

// The names of the parameters, each with a placeholder for its value. A part without `=` counts as a value.
function redactQuery(query: string): string {
  const hide = (parameter: string): string => {
    const equals = parameter.indexOf("=");
    if (equals < 0) return parameter === "" ? "" : placeholder("query", parameter);
    return `${redactText(parameter.slice(0, equals))}=${placeholder("query", parameter.slice(equals + 1))}`;
  };
  return query.split("&").map(hide).join("&");
}

// The member is meant for names alone, but a request may put values into it.
function redactEnvironment(key: string): string {
  const equals = key.indexOf("=");
  if (equals < 0) return redactText(key);
  return `${redactText(key.slice(0, equals))}=${placeholder("environment", key.slice(equals + 1))}`;
}

// The entries that hooks added. The record has the request's own entries in other members.
function redactAdditions(given: JsonObject, { metadata = {} }: Context): JsonObject | undefined {
  const added = Object.entries(given).filter(([key]) => {
    return key !== "action_type" && key !== "target" && !Object.hasOwn(metadata, key);
  });
  return added.length === 0 ? undefined : hideValues("metadata", Object.fromEntries(added));
}

// Where the order of flags and arguments is not known, any argument may be the value of a secret flag.
function redactVector(run: RunContext, isOrdered: boolean): readonly string[] {
  const { flags = [], args = [] } = run;
  const argv = run.argv ?? [...flags, ...args];
  const ordered = isOrdered && run.argv !== undefined;
  if (run.parsed === false) return argv.map(redactLine);
  const program = run.path ?? run.tool ?? "";
  const isJoined = !ordered && sameTexts(argv, [...flags, ...args]);
  const takesValue = flags.some((flag) => !flag.includes("=") && (isSecretName(flag) || /^-[auUHpe]$/.test(flag)));
  if (!isJoined || !takesValue) return redactArguments(argv, program);
  const shown = redactArguments(flags, program);
  return [...shown, ...args.map((argument) => placeholder("argument", argument))];
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** The keys of a map, each with a placeholder for its value. */
function hideValues(kind: HiddenKind, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [redactText(name), hidden(kind, value)]));
}

function hidden(kind: HiddenKind, value: Json): string {
  return placeholder(kind, typeof value === "string" ? value : JSON.stringify(value));
}
