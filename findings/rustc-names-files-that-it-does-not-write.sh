#!/bin/sh
# One would expect `rustc --print file-names` to print the names of the files that the same call writes without it, as build tools use it to learn what will be
# made.
#
# Instead, it prints where a library or a program would be by default. Its documentation says that it is about the output `link`, and it is so when that is not
# asked for: with `--emit metadata`, `obj` or `asm` the name is the library's, which is not written, and what is written is not named. A path that is given for
# `link` itself (`-o`, `--emit link=PATH`) does not count either. A dynamic library and a procedural macro of one call have the same name, which is printed
# twice.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `PrintKind::FileNames` in compiler/rustc_driver_impl/src/lib.rs calls `out_filename` for each crate
# type.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo 'pub fn one() {}' > input.rs
for options in '--emit link' '--emit metadata' '--emit obj' '--emit asm' '--emit link=made/other.rlib' '-o other.rlib' '--test'; do
    mkdir made
    printf '%s: says %s' "$options" "$(rustc +1.95.0 --edition 2024 --crate-type lib --out-dir made --print file-names $options input.rs 2> err)"
    rustc +1.95.0 --edition 2024 --crate-type lib --out-dir made $options input.rs 2> err
    echo ", writes $(ls made)$(ls other.rlib 2> err || true)"
    rm -rf made other.rlib
done > out
printf 'two kinds: says %s\n' "$(rustc +1.95.0 --edition 2024 --crate-type cdylib,proc-macro --print file-names input.rs | paste -s -d ' ')" >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other names' >&2; exit 1; }
--emit link: says libinput.rlib, writes libinput.rlib
--emit metadata: says libinput.rlib, writes libinput.rmeta
--emit obj: says libinput.rlib, writes input.o
--emit asm: says libinput.rlib, writes input.s
--emit link=made/other.rlib: says libinput.rlib, writes other.rlib
-o other.rlib: says libinput.rlib, writes other.rlib
--test: says input, writes input
two kinds: says libinput.so libinput.so
SEEN
