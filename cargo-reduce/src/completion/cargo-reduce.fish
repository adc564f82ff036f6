# Completion of `cargo reduce` and `cargo-reduce` for fish: cargo reduce completions fish | source

function __cargo_reduce_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor)
    CARGO_REDUCE_COMPLETE=fish cargo-reduce -- $words 2>/dev/null
end

# fish adds these to what it has for cargo already.
function __cargo_reduce_is_meant
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    string match --quiet --regex '^\+' -- $words[2]; and set --erase words[2]
    test "$words[2]" = reduce
end

complete --command cargo --condition __cargo_reduce_is_meant --keep-order --no-files --arguments '(__cargo_reduce_complete)'
complete --command cargo-reduce --keep-order --no-files --arguments '(__cargo_reduce_complete)'
