// Command table -> completion for bash and zsh. Both share the part that finds the place and lists what is offered there;
// each has its own way to be asked and to answer.
import type { Completes, Flag, Program } from "./command.ts";
import { type CompletionPlace, completionPlaces, offerOf, quoteForShell, spellingsOf } from "./completion.ts";

/** A script for bash. */
export function formatBashCompletion(program: Program): string {
  const name = functionName(program);
  return `# bash completion for ${program.name}: source it, or put it into /etc/bash_completion.d
${sharedPart(program)}
_${name}() {
  local typed="\${COMP_LINE:0:COMP_POINT}" current line
  local -a words
  # Not by COMP_WORDS, in which a colon and an equals sign end a word.
  current="\${typed##*[[:space:]]}"
  read -ra words <<< "\${typed%"$current"}"
  COMPREPLY=()
  _${name}_walk "\${words[@]:1}"
  if [[ $current == --*=* ]]; then
    _${name}_flag=\${current%%=*}
    current=\${current#*=}
  fi
  while IFS= read -r line; do
    case $line in
      :file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
      :directory) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
      "$current"*) COMPREPLY+=("$line") ;;
    esac
  done < <(_${name}_offers "$current")
  # What stands before the last colon is no part of the word that bash completes.
  [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
}
complete -F _${name} ${program.name}
`;
}

/** A script for zsh. */
export function formatZshCompletion(program: Program): string {
  const name = functionName(program);
  return `#compdef ${program.name}
# zsh completion for ${program.name}: put it into a directory of fpath as _${program.name}
${sharedPart(program)}
_${name}() {
  local line
  local -a offers
  _${name}_walk "\${(@)words[2,CURRENT-1]}"
  if [[ $PREFIX == --*=* ]]; then
    _${name}_flag=\${PREFIX%%=*}
    compset -P '*='
  fi
  while IFS= read -r line; do
    case $line in
      :file) _files; return ;;
      :directory) _files -/; return ;;
      *) offers+=("$line") ;;
    esac
  done < <(_${name}_offers "$PREFIX")
  compadd -- "\${offers[@]}"
}
# Read from fpath this is the function itself, sourced it is not.
if [[ \${funcstack[1]} == _${name} ]]; then _${name} "$@"; else compdef _${name} ${program.name}; fi
`;
}

function functionName(program: Program): string {
  return program.name.replaceAll("-", "_");
}

// Where the words before lead, and what is offered behind them, one a line; `:file` and `:directory` stand for themselves.
function sharedPart(program: Program): string {
  const name = functionName(program);
  const places = completionPlaces(program);
  const paths = places.filter((place) => place.path.length > 0).map((place) => quoteForShell(keyOf(place)));
  const flags = places.flatMap((place) => place.flags).filter((flag) => flag.value !== undefined);
  const valued = [...new Set(flags.flatMap(spellingsOf))];
  const aliases = Object.entries(program.aliases ?? {});
  const values = [
    ...valueLines(name, "*", program.flags),
    ...places.flatMap((place) => valueLines(name, quoteForShell(keyOf(place)), place.own)),
  ];
  return `_${name}_walk() {
  local word
  _${name}_at= _${name}_flag= _${name}_socket=
  for word in "$@"; do
    if [[ -n $_${name}_flag ]]; then
      [[ $_${name}_flag == --socket ]] && _${name}_socket=$word
      _${name}_flag=
      continue
    fi
    case $word in
      --socket=*) _${name}_socket=\${word#--socket=} ;;
      ${valued.join("|")}) _${name}_flag=$word ;;
      -*) ;;
      *)
${
    aliases.map(([from, to]) => `        [[ -z $_${name}_at && $word == ${from} ]] && word=${to}\n`).join("")
  }        case "$_${name}_at $word" in
          ${paths.join("|")}) _${name}_at="$_${name}_at $word" ;;
        esac
        ;;
    esac
  done
}
_${name}_listed() {
  ${program.name} \${_${name}_socket:+"--socket=$_${name}_socket"} complete "$1" 2>/dev/null
}
_${name}_offers() {
  if [[ -n $_${name}_flag ]]; then
    case "$_${name}_at $_${name}_flag" in
${values.join("\n")}
    esac
    return
  fi
  if [[ $1 == -* ]]; then
    case "$_${name}_at" in
${
    places.map((place) => `      ${quoteForShell(keyOf(place))}) ${print(place.flags.flatMap(spellingsOf))} ;;`).join(
      "\n",
    )
  }
    esac
    return
  fi
  case "$_${name}_at" in
${places.flatMap((place) => placeLine(name, place)).join("\n")}
  esac
}`;
}

function valueLines(name: string, place: string, flags: readonly Flag[]): readonly string[] {
  return flags.flatMap((flag) => {
    const offer = offerOf(flag);
    return offer === null ? [] : [`      ${place}' --${flag.name}') ${list(name, offer)} ;;`];
  });
}

function placeLine(name: string, place: CompletionPlace): readonly string[] {
  const offer = place.next.length > 0 ? { words: place.next.map((each) => each.word) } : place.argument;
  return offer === null ? [] : [`    ${quoteForShell(keyOf(place))}) ${list(name, offer)} ;;`];
}

function keyOf({ path }: CompletionPlace): string {
  return path.map((word) => ` ${word}`).join("");
}

function list(name: string, offer: Completes): string {
  if (typeof offer === "string") return print([`:${offer}`]);
  return "words" in offer ? print(offer.words) : `_${name}_listed ${offer.listed}`;
}

function print(words: readonly string[]): string {
  return `printf '%s\\n' ${words.map(quoteForShell).join(" ")}`;
}
