// Command table -> completion for fish, one line for each word and flag of each place.
import type { Completes, Flag, Program } from "./command.ts";
import { type CompletionPlace, completionPlaces, offerOf, spellingsOf } from "./completion.ts";

/** A script for fish. */
export function formatFishCompletion(program: Program): string {
  const name = program.name.replaceAll("-", "_");
  const places = completionPlaces(program);
  const valued = places.flatMap((place) => place.flags).filter((flag) => flag.value !== undefined);
  const paths = places.filter((place) => place.path.length > 0).map((place) => quoteForFish(place.path.join(" ")));
  const aliases = Object.entries(program.aliases ?? {}).map(([from, to]) => {
    return `            test -z "$at"; and test $word = ${from}; and set word ${to}\n`;
  });
  return `# fish completion for ${program.name}: put it into ~/.config/fish/completions/${program.name}.fish
function __${name}_place
    set -l at
    set -l skip
    for word in (commandline -opc)[2..]
        if test -n "$skip"
            set skip
        else if contains -- $word ${[...new Set(valued.flatMap(spellingsOf))].join(" ")}
            set skip $word
        else if not string match -q -- '-*' $word
${aliases.join("")}            set -l longer (string trim -- "$at $word")
            contains -- "$longer" ${paths.join(" ")}; and set at $longer
        end
    end
    echo $at
end
function __${name}_at
    test (__${name}_place) = "$argv[1]"
end
function __${name}_listed
    set -l words (commandline -opc)
    set -l socket
    for at in (seq (count $words))
        string match -q -- '--socket=*' $words[$at]; and set socket $words[$at]
        test "$words[$at]" = --socket; and set socket --socket $words[(math $at + 1)]
    end
    ${program.name} $socket complete $argv[1] 2>/dev/null
end
complete -c ${program.name} -f
${places.flatMap((place) => linesOf(program, name, place)).join("\n")}
`;
}

function linesOf(program: Program, name: string, place: CompletionPlace): readonly string[] {
  const condition = `-n ${quoteForFish(`__${name}_at ${quoteForFish(place.path.join(" "))}`)}`;
  const start = `complete -c ${program.name} ${condition}`;
  const words = place.next.map(({ word, summary }) => `${start} -a ${word} -d ${quoteForFish(summary)}`);
  const { argument } = place;
  const offered = argument === null ? [] : [`${start} ${candidates(name, argument)}`];
  return [...words, ...offered, ...place.flags.flatMap((flag) => flagLines(start, name, flag))];
}

function flagLines(start: string, name: string, flag: Flag): readonly string[] {
  const offer = offerOf(flag);
  const value = flag.value === undefined ? "" : offer === null ? " -x" : ` -r ${candidates(name, offer)}`;
  return spellingsOf(flag).map((spelling) => {
    return `${start} -l ${spelling.slice(2)}${value} -d ${quoteForFish(flag.summary)}`;
  });
}

function candidates(name: string, offer: Completes): string {
  if (offer === "file") return "-F";
  if (offer === "directory") return "-f -a '(__fish_complete_directories)'";
  return `-f -a ${quoteForFish("words" in offer ? offer.words.join(" ") : `(__${name}_listed ${offer.listed})`)}`;
}

// fish reads a backslash in single quotes, and nothing else.
function quoteForFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
