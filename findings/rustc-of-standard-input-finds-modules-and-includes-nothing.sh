#!/bin/sh
# One would expect a program that rustc reads from standard input (`rustc -`) to find its other files in the current directory, or to find none, as the text
# has no place.
#
# What happens: it depends on how a file is named. `mod part;`, nested modules and `#[path]` begin in the current directory. `include!`, `include_str!` and
# `include_bytes!` of the file beside it are refused: "cannot resolve relative path in non-file source `<anon>`". In a module that was found, an include works
# again, beside that module. So a crate that is piped compiles until its root has a README as documentation.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `resolve_path` in compiler/rustc_expand/src/base.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir nested
echo 'a text' > text
cp text nested/text
echo 'pub const TEXT: &str = include_str!("text");' > part.rs
cp part.rs nested/inner.rs
try() {
    printf '%s: ' "$1"
    if printf '%s\n' "$1" | rustc +1.95.0 --edition 2024 --crate-type lib --crate-name piped --emit metadata - > err 2>&1; then
        echo compiles
    else
        grep '^error: c' err
    fi
}
{
    try 'mod part;'
    try 'mod nested { mod inner; }'
    try '#[path = "nested/inner.rs"] mod other;'
    try 'const TEXT: &str = include_str!("text");'
    try 'include!("part.rs");'
    try '#![doc = include_str!("text")]'
    try "const TEXT: &str = include_str!(\"$dir/text\");"
} | sed "s|$dir|DIR|" > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files are found' >&2; exit 1; }
mod part;: compiles
mod nested { mod inner; }: compiles
#[path = "nested/inner.rs"] mod other;: compiles
const TEXT: &str = include_str!("text");: error: cannot resolve relative path in non-file source `<anon>`
include!("part.rs");: error: cannot resolve relative path in non-file source `<anon>`
#![doc = include_str!("text")]: error: cannot resolve relative path in non-file source `<anon>`
const TEXT: &str = include_str!("DIR/text");: compiles
SEEN
