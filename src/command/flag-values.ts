// Flags as they were given, and the environment -> their values: checked, converted, and with the defaults of the table.
import { didYouMean } from "../core/nearest.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { AnyPlan, Environment, NamedFlag } from "./command.ts";

/** A given flag: its text, or the state of a switch. `spelled` is how messages name it: the flag or its variable. */
export type Given = { readonly flag: NamedFlag; readonly spelled: string; readonly value: string | boolean };

/** The values of all flags, and which of them were given. */
export type FlagValues = Pick<AnyPlan, "flags" | "given">;

/** The value of each flag: from the command line, else from the environment, else its default. */
export function readFlagValues(
  known: readonly NamedFlag[],
  given: readonly Given[],
  environment: Environment,
): Result<FlagValues, Problem> {
  const flags: Record<string, unknown> = {};
  const isGiven: Record<string, boolean> = {};
  for (const flag of known) {
    const here = given.filter((each) => each.flag.name === flag.name);
    if (here.length > 1 && flag.repeated !== true) return err(usage(`--${flag.name} is given twice`));
    // A flag on the command line wins. Its variable is not read, so a malformed one does no harm.
    const all = here.length > 0 ? ok(here) : fromEnvironment(flag, environment);
    if (!all.ok) return all;
    const value = valueOf(flag, all.value);
    if (!value.ok) return value;
    flags[flag.name] = value.value;
    isGiven[flag.name] = all.value.length > 0;
  }
  return ok({ flags, given: isGiven });
}

/** All variables of a flag: with `OUTCALL_WATCH` also `OUTCALL_NO_WATCH`, where there is a `--no-watch`. */
export function variablesOf({ name, negatable }: NamedFlag): readonly string[] {
  const suffix = name.toUpperCase().replaceAll("-", "_");
  return negatable === true ? [`OUTCALL_${suffix}`, `OUTCALL_NO_${suffix}`] : [`OUTCALL_${suffix}`];
}

function fromEnvironment(flag: NamedFlag, environment: Environment): Result<readonly Given[], Problem> {
  if (flag.name === "help" || flag.name === "version") return ok([]);
  const set = variablesOf(flag).filter((name) => environment[name] !== undefined);
  const [spelled, other] = set;
  if (spelled === undefined) return ok([]);
  const text = environment[spelled] ?? "";
  if (flag.value !== undefined) return ok([{ flag, spelled, value: text }]);
  if (other !== undefined) return err(usage(`${spelled} and ${other} exclude each other`));
  if (text !== "1" && text !== "0" && text !== "true" && text !== "false") {
    return err(usage(`${spelled} is 1, 0, true or false, not ${quote(text)}`));
  }
  const isPlain = spelled === variablesOf(flag)[0];
  return ok([{ flag, spelled, value: (text === "1" || text === "true") === isPlain }]);
}

function valueOf(flag: NamedFlag, given: readonly Given[]): Result<unknown, Problem> {
  const [first] = given;
  if (flag.value === undefined) return ok(first?.value ?? flag.default === true);
  const byDefault = typeof flag.default === "string" ? [{ flag, spelled: `--${flag.name}`, value: flag.default }] : [];
  const texts: unknown[] = [];
  for (const { spelled, value } of given.length === 0 ? byDefault : given) {
    const read = readText(flag, String(value));
    if (!read.ok) return err(usage(`${spelled} ${read.error.message}`, read.error.hint));
    texts.push(read.value);
  }
  return ok(flag.repeated === true ? texts : texts[0]);
}

// A value of these kinds must not be empty. An empty one usually comes from a script's variable that was never set.
const NAMING: ReadonlySet<string> = new Set(["path", "file", "dir", "group", "name", "id", "session"]);

type Refused = { readonly message: string; readonly hint?: string | undefined };

function readText(flag: NamedFlag, text: string): Result<unknown, Refused> {
  if (flag.reads !== undefined) {
    const read = flag.reads(text);
    return read.ok ? read : err({ message: read.error });
  }
  if (flag.choices !== undefined && !flag.choices.includes(text)) {
    const message = `is one of ${flag.choices.join(", ")}, not ${quote(text)}`;
    return err({ message, hint: didYouMean(text, flag.choices) });
  }
  return text === "" && NAMING.has(flag.value ?? "") ? err({ message: "is empty" }) : ok(text);
}

function usage(message: string, hint?: string): Problem {
  return problem("command.usage", message, hint === undefined ? {} : { hint });
}
