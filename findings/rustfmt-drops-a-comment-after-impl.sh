#!/bin/sh
# One would expect rustfmt to keep every comment: where it finds no place for one, it leaves the statement or the item as it was, which is what it
# does with comments in an `if`, an operator, a `match` or a `return`.
#
# What happens: a comment before or behind the name of the trait is gone after formatting. There is no warning, the status is 0, and formatting again
# changes nothing. A comment in the list of generic parameters stays.
#
# Version: rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: `format_impl_ref_and_type` in src/items.rs, which writes the
# pieces between `impl` and `for` anew.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > input.rs <<'RUST'
impl /* one */ Clone for A {}
impl Copy /* two */ for B {}
impl</* three */ T> Clone for C<T> {}
fn f() {
    let x = if a /* four */ { 1   } else { 2   };
    let y = a /* five */   +   b;
    match x { A /* six */ => 1   , B   => 2 }
    return /* seven */   1;
}
RUST
cp input.rs output.rs
rustfmt +1.95.0 --edition 2024 output.rs 2> err || { cat err; echo "changed: rustfmt refuses it" >&2; exit 1; }
cat output.rs
[ ! -s err ] || { cat err; echo "changed: rustfmt says something" >&2; exit 1; }
for comment in one two three four five six seven; do
    grep -q "/\* $comment \*/" output.rs || lost="${lost:-}$comment "
done
echo "lost: ${lost:-}"
[ "${lost:-}" = "one two " ] || { echo "changed: others than one and two are lost" >&2; exit 1; }
