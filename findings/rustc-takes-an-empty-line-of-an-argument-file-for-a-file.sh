#!/usr/bin/env bash
# One would expect an empty line in a file of arguments (`rustc @file`), at its end above all, to mean nothing, as in such files of compilers for C and of linkers, where any
# white space only separates. A file written by `println!("{}\n", ..)`, or by a template that ends with a blank line, has one.
#
# What happens: each line is an argument, and an empty one is an empty argument, which counts as the name of the source: `multiple input filenames provided (first
# two filenames are `main.rs` and ``)`. The message says nothing of the file of arguments or of a line. A line end of Windows is taken away, one blank
# before a word is not, and a file of arguments in which another is named does not include it: `@other` is then the source.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `Expander::arg` in compiler/rustc_driver_impl/src/args.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo 'fn main() {}' > main.rs
# What rustc says with an argument file of this text.
said() {
    printf -- "$1" > arguments
    if rustc +1.95.0 @arguments > out 2>&1; then echo accepted; else sed -n '/^error/{p;q}' out; fi
}
expect() {
    echo "$1: $2"
    [ "$2" = "$3" ] || { echo "changed: expected $3" >&2; exit 1; }
}
expect 'one on each line' "$(said '--edition\n2024\nmain.rs\n')" accepted
expect 'line ends of Windows' "$(said '--edition\r\n2024\r\nmain.rs\r\n')" accepted
expect 'an empty last line' "$(said '--edition\n2024\nmain.rs\n\n')" 'error: multiple input filenames provided (first two filenames are `main.rs` and ``)'
expect 'an empty line between' "$(said '--edition\n2024\n\nmain.rs\n')" 'error: multiple input filenames provided (first two filenames are `` and `main.rs`)'
printf -- '--edition\n2024\nmain.rs\n' > other
expect 'one that names another' "$(said '@other\n')" "error: couldn't read \`@other\`: No such file or directory (os error 2)"
