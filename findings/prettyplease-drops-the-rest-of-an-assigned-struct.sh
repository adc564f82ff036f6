#!/bin/sh
# One would expect a printer of syntax trees to print each token that has a meaning, of all Rust that is stable.
#
# What happens: in an assignment that takes a struct apart (`Point { x, .. } = point`, stable since Rust 1.59) the left side is an expression to syn, with two
# points and nothing behind them. prettyplease prints the two points only together with what is behind them, and `Point { x } = point` does not
# compile where there are more fields. The same pattern in a `let` is printed whole, as are `[x, ..] = array` and `(x, ..) = pair`. quote prints
# the two points of the same tree.
#
# Version: prettyplease 0.3.0, syn 3.0.10 and rustc 1.95.0. Source: `expr_struct` in prettyplease's src/expr.rs, which looks at `rest` and not at
# `dot2_token`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "printed"
version = "0.0.0"
edition = "2024"
[dependencies]
prettyplease = "=0.3.0"
quote = "=1.0.47"
syn = { version = "=3.0.10", default-features = false, features = ["full", "parsing", "printing"] }
[workspace]
TOML
cat > points.rs <<'RUST'
struct Point {
    x: u8,
    y: u8,
}
fn main() {
    let mut x = 0;
    let Point { y, .. } = Point { x: 1, y: 2 };
    println!("{x} {y}");
    (x, ..) = (3, 4);
    println!("{x}");
    Point { x, .. } = Point { x: 5, y: 6 };
    println!("{x}");
}
RUST
cat > src/main.rs <<'RUST'
use quote::ToTokens;

fn main() {
    let file = syn::parse_file(&std::fs::read_to_string("points.rs").unwrap()).unwrap();
    std::fs::write("pretty.rs", prettyplease::unparse(&file)).unwrap();
    std::fs::write("quoted.rs", file.to_token_stream().to_string()).unwrap();
}
RUST
cargo run --quiet 2> err || { cat err; exit 1; }
compiles() { rustc --edition 2024 --emit metadata -o "$1.rmeta" "$1.rs" 2> "$1.err"; }
compiles points || { cat points.err; echo "the program does not compile" >&2; exit 1; }
compiles quoted || { cat quoted.err; echo "changed: what quote prints does not compile" >&2; exit 1; }
diff points.rs pretty.rs || true
! compiles pretty || { echo "changed: what prettyplease prints compiles" >&2; exit 1; }
grep '^error' pretty.err
[ "$(diff points.rs pretty.rs | grep -c '^[<>]')" = 2 ] || { echo "changed: another line differs" >&2; exit 1; }
grep -q '^    Point { x } = Point { x: 5, y: 6 };' pretty.rs || { echo "changed: the line is another" >&2; exit 1; }
