#!/usr/bin/env bash
# One would expect `warnings` to be the group of all lints that warn, and to be treated as other groups: the last of several options for a lint decides
# (`-D unused -A unused_variables` is silent), and what a group forbids (`-F`) cannot be allowed by a later option.
#
# Instead, `warnings` is looked at last, for what would otherwise be a warning, wherever it stands. After `-A warnings` no later `-W` shows anything, and an
# earlier or a later `-D` does. `-D warnings` turns a later `-W` into an error. `-F warnings` forbids no option: `-F warnings -A unused_variables` is silent
# without a word, where `-F unused -A unused_variables` stays an error. In the source, `#[allow(..)]` below `-F warnings` makes a warning of its own, as below
# each forbidden group, and is obeyed. `#[warn(warnings)]` undoes `-D warnings` for its item, while `#[warn(unused_variables)]` does not. So a check by
# `-D warnings` or `-F warnings` says less than that nothing warns, and a tool that computes levels from a list of options must treat this word by itself.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `reveal_actual_level` in compiler/rustc_middle/src/lint.rs, which asks for the level of `warnings`
# only where the lint itself has come out as a warning.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
level() {
    attribute=$1
    shift
    printf '%spub fn call() { let five = 5; }\n' "$attribute" > lib.rs
    rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata --error-format short "$@" lib.rs > log 2>&1 || true
    seen=$(sed -n 's/^lib.rs:[0-9:]* \([a-z]*\)[][E0-9]*: .*\(unused variable\|incompatible\).*/\1, \2/p' log | sort -u | paste -sd';')
    echo "$*${attribute:+ with ${attribute% }}: ${seen:-silent}"
}
{
    for options in '-D unused -A unused_variables' '-F unused -A unused_variables' '-F warnings -A unused_variables' '-A unused_variables -F warnings' \
        '-A warnings -W unused_variables' '-A warnings -D unused_variables' '-D unused_variables -A warnings' '-D warnings -W unused_variables' \
        '-D warnings -A unused_variables' '-A unused_variables -D warnings' '-D warnings -A warnings' '-A warnings -D warnings'; do
        level '' $options
    done
    level '#[allow(unused_variables)] ' -F unused_variables
    level '#[allow(unused_variables)] ' -F unused
    level '#[allow(unused_variables)] ' -F warnings
    level '#[warn(unused_variables)] ' -D warnings
    level '#[warn(warnings)] ' -D warnings
    level '#[warn(warnings)] ' -D unused
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other levels' >&2; exit 1; }
-D unused -A unused_variables: silent
-F unused -A unused_variables: error, unused variable
-F warnings -A unused_variables: silent
-A unused_variables -F warnings: silent
-A warnings -W unused_variables: silent
-A warnings -D unused_variables: error, unused variable
-D unused_variables -A warnings: error, unused variable
-D warnings -W unused_variables: error, unused variable
-D warnings -A unused_variables: silent
-A unused_variables -D warnings: silent
-D warnings -A warnings: silent
-A warnings -D warnings: error, unused variable
-F unused_variables with #[allow(unused_variables)]: error, incompatible
-F unused with #[allow(unused_variables)]: warning, incompatible
-F warnings with #[allow(unused_variables)]: warning, incompatible
-D warnings with #[warn(unused_variables)]: error, unused variable
-D warnings with #[warn(warnings)]: warning, unused variable
-D unused with #[warn(warnings)]: error, unused variable
SEEN
