#!/usr/bin/env bash
# One would expect a printer of syntax trees to keep two tokens apart that would be read as one: the range from `1.` to `3.`, written `1. ..3.`, is where
# every Rust printer has to write a blank, as it has to in `a as u8 < b` or `- -1`.
#
# Instead, rustc's own printer and prettyplease write `1...3.`, which rustc takes for the old `...` and refuses, and syn does not parse. That is what
# `-Zunpretty=normal` and `expanded` (unstable) print, and also what a failed `assert!((1. ..3.).contains(&x))` says it has asserted. (Arguments of a macro
# stay as they are.) prettyplease joins them in patterns as well, where `1. ..=2.` is stable. rustfmt and quote keep the blank.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14), prettyplease 0.3.0 and syn 3.0.10. Source: `print_expr_range` in
# compiler/rustc_ast_pretty/src/pprust/state/expr.rs, and `expr_range` in prettyplease's src/expr.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
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
cat > src/main.rs <<'RUST'
use quote::ToTokens;

fn main() {
    let file = syn::parse_file(&std::fs::read_to_string("range.rs").unwrap()).unwrap();
    std::fs::write("pretty.rs", prettyplease::unparse(&file)).unwrap();
    std::fs::write("quoted.rs", file.to_token_stream().to_string()).unwrap();
}
RUST
cat > range.rs <<'RUST'
fn main() {
    let far = 5.;
    let close = 1. ..3.;
    assert!(close.start < far);
    assert!((1. ..3.).contains(&far));
}
RUST
cp range.rs formatted.rs
rustfmt +1.95.0 --edition 2024 formatted.rs
RUSTC_BOOTSTRAP=1 rustc +1.95.0 --edition 2024 -Zunpretty=normal range.rs > normal.rs
cargo +1.95.0 run --quiet
for file in range formatted quoted normal pretty; do
    said=compiles
    rustc +1.95.0 --edition 2024 --emit metadata -o "$file.rmeta" "$file.rs" 2> "$file.err" || said=$(grep -m 1 '^error' "$file.err")
    echo "$file: $said"
done > out
rustc +1.95.0 --edition 2024 range.rs
! RUST_BACKTRACE=0 ./range 2> panic || { echo 'no panic' >&2; exit 1; }
grep '^assertion' panic >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: it is printed in another way' >&2; exit 1; }
range: compiles
formatted: compiles
quoted: compiles
normal: error: unexpected token: `...`
pretty: error: unexpected token: `...`
assertion failed: (1...3.).contains(&far)
SEEN
