// An unknown word -> a hint: the nearest name, the command that ends in the word, or the command that another program's word
// stands for.
import { didYouMean, nearestName } from "../core/nearest.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { type Command, type NamedFlag, namedFlags, type Program, shownCommands } from "./command.ts";
import { canonicalWords, nameOf, nextWords } from "./find-command.ts";

/** The problem of words that name no command. The words after the first unknown one are left out. */
export function unknownCommand(program: Program, words: readonly string[]): Problem {
  const path = canonicalWords(program, words);
  const known = path.findIndex((_, at) => !nextWords(program, path.slice(0, at)).has(path[at] ?? ""));
  const unknown = path.slice(0, (known < 0 ? path.length : known) + 1);
  const commands = commandsMeant(program, unknown.slice(0, -1), unknown.at(-1) ?? "");
  const names = commands.map((name) => `"${program.name} ${name}"`).join(" or ");
  const hint = names === "" ? whereCommandsAre(program) : `did you mean ${names}?`;
  return problem("command.usage", `unknown command ${quote(unknown.join(" "))}`, { hint });
}

/** The hint for a command line without a known command. */
export function whereCommandsAre(program: Program): string {
  const isOnly = program.commands.some(({ usage }) => usage === "");
  return isOnly ? `${program.name} takes no command` : `${program.name} help lists the commands`;
}

/** The problem of an unknown flag. A cluster such as `-follow` may be a long flag with one dash missing. */
export function unknownFlag(program: Program, word: string, known: readonly NamedFlag[], command?: Command): Problem {
  const [spelled = ""] = word.split("=");
  const names = known.flatMap(spellingsOf).filter((name) => name.startsWith("--"));
  const meant = spelled.length > 2 ? didYouMean(`--${spelled.replace(/^-+/, "")}`, names) : undefined;
  const hint = meant ?? placeOf(program, spelled, command);
  return problem("command.usage", `unknown flag ${quote(spelled)}`, hint === undefined ? {} : { hint });
}

/** The spellings of a flag: the long ones, with `--no-name` if there is one, then the short one. */
export function spellingsOf({ name, negatable, short }: NamedFlag): readonly string[] {
  const negated = negatable === true ? [`--no-${name}`] : [];
  return [`--${name}`, ...negated, ...(short === undefined ? [] : [`-${short}`])];
}

function commandsMeant(program: Program, before: readonly string[], word: string): readonly string[] {
  const next = [...nextWords(program, before).keys()];
  if (before.length > 0) {
    const nearest = nearestName(word, next);
    return nearest === undefined ? [] : [[...before, nearest].join(" ")];
  }
  const synonym = Object.hasOwn(program.synonyms ?? {}, word) ? program.synonyms?.[word] : undefined;
  if (synonym !== undefined) return [synonym];
  const byEnd = endings(program);
  const ending = byEnd.get(word);
  if (ending !== undefined) return ending;
  const nearest = nearestName(word, [...next, ...byEnd.keys()]);
  if (nearest === undefined) return [];
  return next.includes(nearest) ? [nearest] : byEnd.get(nearest) ?? [];
}

// The commands of each last word: `list` is what `rule list` and `container list` end in.
function endings(program: Program): ReadonlyMap<string, readonly string[]> {
  const names = shownCommands(program).map(nameOf);
  return Map.groupBy(names.filter((name) => name.includes(" ")), (name) => name.split(" ").at(-1) ?? "");
}

// The flag belongs to one other command, or it was typed before the words of its command.
function placeOf(program: Program, spelled: string, typed: Command | undefined): string | undefined {
  const has = ({ flags }: Command) => namedFlags(flags).some((flag) => spellingsOf(flag).includes(spelled));
  const [command, ...more] = shownCommands(program).filter(has);
  if (command === undefined || more.length > 0 || command.usage === "") return undefined;
  const whose = `it is a flag of "${program.name} ${nameOf(command)}"`;
  return typed === undefined ? `${whose}, and goes after these words` : whose;
}
