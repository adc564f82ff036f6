#!/usr/bin/env bash
# One would expect a printer that knows `safe fn` of an `unsafe extern` block to print `safe static`, too: both are stable since Rust 1.82.
#
# What happens: the word is lost. `safe static LIMIT: u8;` is printed as `static LIMIT: u8;`, which is valid, and of which each use is unsafe: a crate that is
# printed anew compiles no more (E0133), with the error at the use and not at the item that was changed. syn's tree has the word, in the field `safety` of
# `ForeignItemStatic`, and quote prints it.
#
# Version: prettyplease 0.3.0, syn 3.0.10 and rustc 1.95.0. Source: `foreign_item_static` in prettyplease's src/item.rs, which does not look at
# `safety`, as the form for other statics there does.
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
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    let file = syn::parse_file(&std::fs::read_to_string("input.rs").unwrap()).unwrap();
    std::fs::write("quoted.rs", quote::quote!(#file).to_string()).unwrap();
    std::fs::write("pretty.rs", prettyplease::unparse(&file)).unwrap();
}
RUST
cat > input.rs <<'RUST'
unsafe extern "C" {
    safe static LIMIT: u8;
    safe fn limit() -> u8;
}
pub fn higher() -> u8 {
    LIMIT.max(limit())
}
RUST
cargo +1.95.0 run --quiet
cat pretty.rs
checks() { rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata "$1" 2> err; }
checks input.rs || { cat err; exit 1; }
checks quoted.rs || { cat err; echo 'changed: quote prints something else' >&2; exit 1; }
if checks pretty.rs; then echo 'changed: what prettyplease prints compiles' >&2; exit 1; fi
cat err
grep -q 'error\[E0133\]: use of extern static is unsafe' err || { echo 'changed: another error' >&2; exit 1; }
grep -q 'safe fn limit' pretty.rs || { echo 'changed: the function loses the word, too' >&2; exit 1; }
