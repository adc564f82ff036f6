#!/bin/sh
# One would expect `rustfmt --check` to end with 1 whenever it prints a difference, as its help says: "Run in 'check' mode. Exits with 0 if input is
# formatted correctly. Exits with 1 and prints a diff if formatting is required."
#
# What happens: so it is for files. For a text on standard input it prints the difference and ends with 0, so that a script which pipes a snippet to it takes
# each for formatted. Where the text cannot be parsed, it ends with 1, in both ways.
#
# Version: rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: `format_string` in src/bin/main.rs, which returns its own
# status and does not look at `has_diff`, as `format` does.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo 'fn   main() {}' > loose.rs
echo 'fn main() {}' > neat.rs
echo 'fn main( {' > broken.rs
rustfmt +1.95.0 --help | grep -A 2 -e '--check'
for file in neat loose broken; do
    named=0
    rustfmt +1.95.0 --check --color never "$file.rs" > named.out 2> named.err || named=$?
    piped=0
    rustfmt +1.95.0 --check --color never < "$file.rs" > piped.out 2> piped.err || piped=$?
    echo "$file: named $named, $(wc -l < named.out) lines; piped $piped, $(wc -l < piped.out) lines"
    case $file in
    neat) wanted="0 0" ;;
    loose) wanted="1 0" ;;
    broken) wanted="1 1" ;;
    esac
    [ "$named $piped" = "$wanted" ] || { echo "changed: they were $wanted" >&2; exit 1; }
    [ "$file" != loose ] || grep -q '^-fn   main' piped.out || { echo "changed: no difference is printed" >&2; exit 1; }
done
