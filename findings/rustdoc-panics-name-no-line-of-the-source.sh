#!/usr/bin/env bash
# One would expect a doc test that panics to name the source file and the line of its code there, as the errors of one that does not compile do, in all editions.
#
# What happens: in editions before 2024 the file is the right one, but the line is counted in the program that rustdoc made, from its top: a panic in line 11 of the
# source names line 4, wherever the doc test stands, so that the two together point at something else. It is line 6 if the name of the crate stands
# anywhere in the text, since an `extern crate` is written above it then. In edition 2024 doc tests are merged into one program, and the panic (`file!()`, `Location::caller()`)
# names `doctest_bundle_2024.rs` in a temporary directory, which is gone afterwards and has another name in each run: the text of the same failure is never the same.
# A test that is marked `standalone_crate` is like one of edition 2021.
#
# Version: rustdoc 1.95.0 (59807616e 2026-04-14), by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset RUST_BACKTRACE RUSTDOCFLAGS RUST_TEST_THREADS || true

# Writes a library with a doc test whose line 11 ends in this statement, with this word after its fence, and this name in the line before.
library() {
    printf '//! Words.\n' > inner_name.rs
    printf '//!\n%.0s' 2 3 4 5 6 7 8 >> inner_name.rs
    printf '//! ```%s\n//! let %s = 1;\n//! %s\n//! ```\n' "$1" "$2" "$3" >> inner_name.rs
}
# Runs the doc test in this edition, and prints the place that its panic or its error names.
place() {
    rustc +1.95.0 --edition "$1" --crate-type lib inner_name.rs
    rustdoc +1.95.0 --edition "$1" --test --color never --extern inner_name=libinner_name.rlib inner_name.rs > out 2>&1 || true
    sed -n -e 's/^thread .* panicked at \(.*\):$/\1/p' -e 's/^ *--> \(.*\)$/\1/p' out
}
expect() {
    echo "$1: $2"
    case $2 in
    $3) ;;
    *) printf 'changed: expected %s\n' "$3" >&2; cat out >&2; exit 1 ;;
    esac
}
for edition in 2021 2024; do
    library '' _number 'let text: u8 = "";'
    expect "an error in line 11, edition $edition" "$(place $edition)" 'inner_name.rs:11:16'
done
library '' _number 'panic!("seen");'
expect 'a panic in line 11, edition 2021' "$(place 2021)" 'inner_name.rs:4:1'
library '' inner_name 'panic!("seen");'
expect 'the same, with the name of the crate' "$(place 2021)" 'inner_name.rs:6:1'
first=$(place 2024)
expect 'the same, edition 2024' "$first" '*/doctest_bundle_2024.rs:[0-9]*:1'
second=$(place 2024)
expect 'once more' "$second" '*/doctest_bundle_2024.rs:[0-9]*:1'
[ "$first" != "$second" ] || { echo 'changed: two runs name the same place' >&2; exit 1; }
[ ! -e "${first%:*:1}" ] || { echo 'changed: the named file is still there' >&2; exit 1; }
library standalone_crate inner_name 'panic!("seen");'
expect 'the same, standalone_crate' "$(place 2024)" 'inner_name.rs:[46]:1'
