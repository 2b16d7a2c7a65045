# Completion of askrff in bash: the command itself says what may come next.
_askrff() {
  # Bash cuts words at = and : as well; the command is asked for whole ones, and what bash took as done is cut off the answers.
  local line=${COMP_LINE:0:COMP_POINT} word before answer i
  local -a typed=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == *[=:] ]] && [[ $line == *"${COMP_WORDS[i - 1]}$word"* ]]; then
      typed[-1]+=$word
    else
      typed+=("$word")
    fi
  done
  word=${typed[-1]}
  before=${word%"${word##*[=:]}"}
  [[ $COMP_WORDBREAKS == *:* ]] || before=${word%"${word##*=}"}
  [[ $COMP_WORDBREAKS == *=* || $before == *:* ]] || before=
  COMPREPLY=()
  while IFS= read -r answer; do
    if [[ $answer != :files ]]; then
      answer=${answer%%$'\t'*}
      [[ $answer == *: ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("${answer#"$before"}")
      continue
    fi
    [[ $before == *: ]] && continue # the rest of a word like builtin:uniform
    ((${#COMPREPLY[@]})) || compopt -o filenames 2>/dev/null # which would quote the colons of words
    while IFS= read -r answer; do COMPREPLY+=("$answer"); done < <(compgen -f -- "${word#"$before"}")
  done < <("${COMP_WORDS[0]}" complete "${typed[@]}" 2>/dev/null)
}
complete -F _askrff askrff
