#!/bin/sh
# One would expect the result of a reducer that calls itself syntax-aware, and parses its input, to be a program of the grammar: what it takes out is what may
# be left out there. And `--slow` to be "Same as --stable, --min-reduction 1", as its help says.
#
# What happens: keywords count as nodes that may go. With no option at all (two passes) the `let` of a statement is deleted, which makes another statement of
# it, and `fn` and the name of a function with `--stable --min-reduction 1`: whether the result is a program is up to the test alone. `--slow` does more than
# that pair: it also deletes what the grammar says must be there, and leaves a piece of a statement. `--fast` is what its help says.
#
# Version: treereduce-rust 0.4.1 and rustc 1.95.0. Source: `delete_non_optional: args.slow` in treereduce's src/cli.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
cargo +1.95.0 install --quiet --version =0.4.1 --root "$dir" --target-dir "$dir/target" treereduce-rust 2> err || { cat err >&2; exit 1; }
cat > input.rs <<'RUST'
fn count() {
    let numbers = vec![1, 2];
    let text = "keep this";
}
RUST
try() {
    echo "$*:"
    "$dir/bin/treereduce-rust" "$@" --quiet --jobs 1 --source input.rs --output result.rs grep -q keep
    tr -s ' \n' '  ' < result.rs | sed 's/^ */    /; s/ *$//'
    echo
    if rustfmt +1.95.0 --edition 2024 --check result.rs > log 2>&1 || grep -q '^Diff' log; then echo '    parses'; else echo '    does not parse'; fi
}
{
    try --fast
    try --passes 1 --min-reduction 4
    try --passes 2
    try --stable --min-reduction 1
    try --slow
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other parts are deleted' >&2; exit 1; }
--fast:
    fn count() { let text = "keep this"; }
    parses
--passes 1 --min-reduction 4:
    fn count() { let text = "keep this"; }
    parses
--passes 2:
    fn count() { text = "keep this"; }
    parses
--stable --min-reduction 1:
    { text = "keep this"; }
    does not parse
--slow:
    { = "keep this"; }
    does not parse
SEEN
