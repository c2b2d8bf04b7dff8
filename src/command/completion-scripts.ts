// The scripts that make a shell complete a program's command lines. Each asks `<program> complete -- <words>` for one
// candidate a line, `word<tab>summary`; for `:file` and `:directory` the shell lists the files itself.
import type { Program } from "./command.ts";

/** A script for bash. */
export function formatBashCompletion({ name }: Program): string {
  const own = functionName(name);
  return `# bash completion for ${name}: source it, or put it into /etc/bash_completion.d
${own}() {
  local typed="\${COMP_LINE:0:COMP_POINT}" current value line
  local -a words
  # COMP_WORDS does not serve: there a colon and an equals sign end a word.
  current="\${typed##*[[:space:]]}"
  read -ra words <<< "\${typed%"$current"}"
  value=$current
  [[ $current == --*=* ]] && value=\${current#*=}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$value") ;;
      :directory) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$value") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(${name} complete -- "\${words[@]:1}" "$current" 2>/dev/null)
  # The word that bash completes begins after the last colon.
  [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${value%"\${value##*:}"}"}")
}
complete -F ${own} ${name}
`;
}

/** A script for zsh. */
export function formatZshCompletion({ name }: Program): string {
  const own = functionName(name);
  return `#compdef ${name}
# zsh completion for ${name}: put it into a directory of fpath as _${name}
${own}_offers() {
  ${name} complete -- "$@" 2>/dev/null
}
${own}() {
  local line
  local -a asked offers
  asked=("\${(@)words[2,CURRENT-1]}" "$PREFIX")
  [[ $PREFIX == --*=* ]] && compset -P '*='
  while IFS= read -r line; do
    case $line in
      :file) _files; return ;;
      :directory) _files -/; return ;;
      *) offers+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(${own}_offers "\${(@)asked}")
  compadd -- "\${offers[@]}"
}
# zsh runs this file as the function itself if it comes from fpath; if it is sourced, the function must be registered.
if [[ \${funcstack[1]} == ${own} ]]; then ${own} "$@"; else compdef ${own} ${name}; fi
`;
}

/** A script for fish. */
export function formatFishCompletion({ name }: Program): string {
  const own = `_${functionName(name)}`;
  return `# fish completion for ${name}: put it into ~/.config/fish/completions/${name}.fish
function ${own}
    set -l current (commandline -ct)
    set -l before (commandline -opc)[2..]
    set -l value (string replace -r '^--[^=]*=' '' -- "$current")
    set -l flag
    string match -q -- '--*=*' "$current"; and set flag (string replace -r '=.*' '=' -- "$current")
    for line in (${name} complete -- $before "$current" 2>/dev/null)
        switch $line
            case :file
                printf "$flag%s\\n" (__fish_complete_path "$value")
            case :directory
                printf "$flag%s\\n" (__fish_complete_directories "$value")
            case '*'
                echo "$flag$line"
        end
    end
end
complete -c ${name} -f -a '(${own})'
`;
}

function functionName(name: string): string {
  return `_${name.replaceAll("-", "_")}`;
}
