#compdef cargo-reduce
# Completion of `cargo reduce` and `cargo-reduce` for zsh, after compinit: source <(cargo reduce completions zsh)

_cargo_reduce_ask() {
    local line value
    local -a lines directories others
    lines=("${(@f)$(CARGO_REDUCE_COMPLETE=zsh cargo-reduce -- "$@" 2>/dev/null)}")
    for line in $lines; do
        value=${line%%:*}
        if [[ $value == */ ]]; then
            directories+=("${value%/}")
        else
            others+=("$line")
        fi
    done
    (( $#directories )) && _describe -V 'directories' directories -S / -r /
    (( $#others )) && _describe -V 'values' others
}

# For `cargo-reduce reduce ..` itself.
_cargo_reduce() {
    _cargo_reduce_ask "${(@)words[1,CURRENT]}"
}

# cargo's own completion calls a function of this name for `cargo reduce ..`, without the first word.
_cargo-reduce() {
    _cargo_reduce_ask cargo "${(@)words[1,CURRENT]}"
}

# Where cargo has no completion.
_cargo_reduce_or_files() {
    local at=2
    [[ ${words[2]} == +* ]] && at=3
    if (( CURRENT > at )) && [[ ${words[at]} == reduce ]]; then
        _cargo_reduce
    else
        _files
    fi
}

compdef _cargo_reduce cargo-reduce
(( $+_comps[cargo] )) || compdef _cargo_reduce_or_files cargo
