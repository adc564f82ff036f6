#!/bin/sh
# One would expect rustfmt to change the white space of a macro call, perhaps its trailing comma, and never to make a valid program invalid.
#
# What happens: whatever is called `vec!` is written with square brackets, by its name alone, though the program may have a macro of its own with this
# name. Braces after which no `;` is needed between statements become brackets that need one: `vec! { 1 }` and `vec! { 2 }` as statements become
# `vec![1]` and `vec![2]`, still without a `;`, which rustc refuses. rustfmt ends with status 0. As an item it does add the `;`. Another macro's
# braces stay.
#
# Version: rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: `FORCED_BRACKET_MACROS` in src/macros.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
program() {
    cat <<RUST
macro_rules! $1 {
    (\$number:literal) => {
        println!("{}", \$number)
    };
}
fn main() {
    $1! { 1 }
    $1! { 2 }
    $1! { 3 }
}
RUST
}
valid() { rustc +1.95.0 --edition 2024 --emit metadata -o "$1.rmeta" "$1.rs" 2> "$1.err"; }
for name in vec row; do
    program "$name" > "$name.rs"
    valid "$name" || { cat "$name.err"; echo "the program is not valid before" >&2; exit 1; }
    rustfmt +1.95.0 --edition 2024 "$name.rs" || { echo "changed: rustfmt ends with another status" >&2; exit 1; }
    echo "with the name \`$name\`:"
    sed -n '/^fn main/,$p' "$name.rs"
done
valid row || { echo "changed: another name is touched, too" >&2; exit 1; }
! valid vec || { echo "changed: the program is valid after rustfmt" >&2; exit 1; }
grep -q 'vec!\[1\]$' vec.rs || { echo "changed: the braces stay" >&2; exit 1; }
echo "rustc, of the first: $(head -n 1 vec.err)"
