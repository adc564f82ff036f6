#!/bin/sh
# One would expect a formatter to leave the arguments of a macro alone but for white space: what a comma or a bracket means to the macro is unknown to it, and
# the program prints the same before and after.
#
# Instead, arguments that look like expressions are formatted as such. `((a))` becomes `(a)`, `S::<A,>` loses its comma, and `{ break }` gets a semicolon: a
# macro that takes tokens has others. And white space counts, too: `stringify!(a+b)` is "a+b" to the compiler, and "a + b" once it is formatted. The first
# three change in any macro with round brackets whose arguments can all be read as expressions; with braces (`show! { .. }`) they stay.
#
# Version: rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: `rewrite_macro` in src/macros.rs, which parses the arguments and
# writes them anew.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > before.rs <<'RUST'
macro_rules! count {
    () => { 0 };
    (($($inner:tt)*) $($rest:tt)*) => { 1 + count!($($inner)*) + count!($($rest)*) };
    ({$($inner:tt)*} $($rest:tt)*) => { 1 + count!($($inner)*) + count!($($rest)*) };
    ($first:tt $($rest:tt)*) => { 1 + count!($($rest)*) };
}
fn main() {
    println!("brackets {}", count!(((a))));
    println!("comma {}", count!(S::<A,>::new()));
    println!("semicolon {}", count!(loop { break }));
    println!("braces {}", count! { ((a)) });
    println!("text {}", stringify!(a+b));
}
RUST
cp before.rs after.rs
rustfmt +1.95.0 --edition 2024 after.rs
for name in before after; do
    rustc +1.95.0 --edition 2024 "$name.rs" -o "$name"
    "./$name" > "$name.txt"
done
diff before.rs after.rs | grep '^[<>] *println' || true
diff before.txt after.txt > said || true
cat said
cmp -s said - <<'SEEN' || { echo 'changed: other differences' >&2; exit 1; }
1,3c1,3
< brackets 3
< comma 9
< semicolon 3
---
> brackets 2
> comma 8
> semicolon 4
5c5
< text a+b
---
> text a + b
SEEN
