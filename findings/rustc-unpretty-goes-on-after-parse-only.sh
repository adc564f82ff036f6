#!/bin/sh
# rustc that is told to stop after parsing checks types and builds MIR all the same if it is to print that.
#
# One would expect of `-Zparse-crate-root-only` (unstable) that nothing comes after the parser, so that a function without a definition
# for its names or with a wrong type is accepted, whatever other options say. With `-Zunpretty=mir` or `thir-tree` beside it the
# whole analysis is made: the form is printed, although no pass that makes it should run. Whoever measures how far a call goes
# by that option is told that parsing is enough, and is wrong once `-Zunpretty` goes.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14), by running it.
set -eu

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
printf 'pub fn doubled(number: u8) -> u16 { u16::from(number) * 2 }\n' > lib.rs
export RUSTC_BOOTSTRAP=1
rustc +1.95.0 --crate-type lib -Zparse-crate-root-only lib.rs
[ ! -e liblib.rlib ] || {
    echo 'changed: something is made after parsing'
    exit 1
}
mir=$(rustc +1.95.0 --crate-type lib -Zparse-crate-root-only -Zunpretty=mir lib.rs)
printf '%s\n' "$mir"
printf '%s\n' "$mir" | grep -q '^fn doubled(_1: u8) -> u16' || {
    echo 'changed: no MIR is printed'
    exit 1
}
