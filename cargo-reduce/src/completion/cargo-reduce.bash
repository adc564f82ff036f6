# Completion of `cargo reduce` and `cargo-reduce` for bash 4.4 and later: source <(cargo reduce completions bash)

_cargo_reduce() {
    local at word before= joined=
    local -a words=()
    for ((at = 0; at <= COMP_CWORD; at++)); do
        word=${COMP_WORDS[at]}
        # Nothing behind the cursor counts.
        if ((at == COMP_CWORD)) && [[ $word != [=:]* ]]; then
            word=$2
        fi
        # bash cuts a word at `=` and `:`. The program is given whole words, bash what comes after the cut.
        if ((at > 0)) && [[ -n $joined || $word == [=:]* ]]; then
            before=${words[-1]}
            words[-1]+=$word
        else
            before=
            words+=("$word")
        fi
        joined=
        if [[ $word == [=:]* ]]; then
            joined=1
            before=${words[-1]}
        fi
    done
    mapfile -t COMPREPLY < <(CARGO_REDUCE_COMPLETE=bash cargo-reduce -- "${words[@]}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
    # Whatever cargo's completion asks for.
    compopt +o default +o bashdefault +o nospace -o nosort
    for word in "${COMPREPLY[@]}"; do
        # Spaces in names of files are quoted, and directories go on.
        [[ ! -e $word ]] || compopt -o filenames
    done
}

_cargo_reduce_or_cargo() {
    local at=1
    [[ ${COMP_WORDS[1]-} != +* ]] || at=2
    if ((COMP_CWORD > at)) && [[ ${COMP_WORDS[at]} == reduce ]]; then
        _cargo_reduce "$@"
    elif [[ -n ${_cargo_reduce_others-} ]]; then
        "$_cargo_reduce_others" "$@"
    fi
}

complete -F _cargo_reduce cargo-reduce

# Puts the function above in place of that which completes cargo, and keeps that for all other commands.
_cargo_reduce_register() {
    local loader found
    # bash-completion loads cargo's at the first need, which there is not once cargo has another.
    for loader in _comp_load __load_completion; do
        complete -p cargo &>/dev/null || ! declare -F "$loader" >/dev/null || "$loader" cargo &>/dev/null
    done
    if ! found=$(complete -p cargo 2>/dev/null); then
        complete -o bashdefault -o default -F _cargo_reduce_or_cargo cargo
    elif [[ $found =~ ^(.*\ -F\ )([^ ]+)(.*)$ && ${BASH_REMATCH[2]} != _cargo_reduce_or_cargo ]]; then
        _cargo_reduce_others=${BASH_REMATCH[2]}
        eval "${BASH_REMATCH[1]}_cargo_reduce_or_cargo${BASH_REMATCH[3]}"
    fi
}
_cargo_reduce_register
unset -f _cargo_reduce_register
