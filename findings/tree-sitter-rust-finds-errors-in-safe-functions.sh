#!/usr/bin/env bash
# One would expect the grammar of Rust for tree-sitter to know what has been stable for years, such as `safe fn` in an `unsafe extern` block (1.82), and a
# negative number as an argument of a generic function (1.51); so that `has_error` tells programs from texts that are none.
#
# What happens: both, which rustc accepts, have an `ERROR` node in their trees. The tree says `safe` is an error beside an ordinary function, and `-` an
# error beside the number 1, so that whoever removes or replaces nodes by their text changes the meaning. Other new syntax is known: `&raw const`, `use<>`,
# chains of `let`, `async ||`, C strings.
#
# Version: tree-sitter-rust 0.24.2, tree-sitter 0.27.1 and rustc 1.95.0. Source: `function_modifiers` and `type_arguments` in grammar.js.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "trees"
version = "0.0.0"
edition = "2024"
[dependencies]
tree-sitter = "=0.27.1"
tree-sitter-rust = "=0.24.2"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_rust::LANGUAGE.into()).unwrap();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let tree = parser.parse(&text, None).unwrap();
        println!("{path}: has_error {}", tree.root_node().has_error());
        let mut nodes = vec![tree.root_node()];
        while let Some(node) = nodes.pop() {
            if node.is_error() {
                println!("    ERROR at {:?}", &text[node.byte_range()]);
            }
            nodes.extend((0..node.child_count()).filter_map(|at| node.child(at.try_into().unwrap())));
        }
    }
}
RUST
cat > known.rs <<'RUST'
pub fn chains(a: Option<u8>) -> bool {
    if let Some(x) = a && x > 1 { true } else { false }
}
pub fn captures<'a>(_: &'a u8) -> impl Sized + use<> {
    let text = c"text";
    (&raw const text, async || 1);
}
RUST
cat > safe.rs <<'RUST'
unsafe extern "C" {
    pub safe fn abs(number: i32) -> i32;
}
RUST
cat > negative.rs <<'RUST'
pub fn constant<const N: i8>() -> i8 {
    N
}
pub fn call() -> i8 {
    constant::<-1>()
}
RUST
for file in known safe negative; do
    rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata -A warnings "$file.rs"
done
cargo +1.95.0 run --quiet -- known.rs safe.rs negative.rs > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other trees' >&2; exit 1; }
known.rs: has_error false
safe.rs: has_error true
    ERROR at "safe"
negative.rs: has_error true
    ERROR at "-"
SEEN
