#!/bin/sh
# One would expect that a token which was put into a token stream comes out as that token.
#
# What happens: a `Literal` may be negative (`Literal::i8_suffixed(-1)`, or "-1" parsed as a `Literal`), and prints as one token. Put into a `TokenStream`, it
# comes out as two, the sign and a literal without it; counting, comparing or replacing tokens one by one differs before and after. "- 1", and "--1",
# which a token stream may print, are no literals to the same parser.
#
# Version: proc-macro2 1.0.107 outside of a macro ("fallback"), and rustc 1.95.0. Source: `push_token_from_proc_macro` and `push_negative_literal` in
# src/fallback.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "negative"
version = "0.0.0"
edition = "2024"
[dependencies]
proc-macro2 = "=1.0.107"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use proc_macro2::{Literal, TokenStream, TokenTree};

fn main() {
    for literal in [Literal::i8_suffixed(-1), Literal::i8_suffixed(1), "-1".parse().unwrap()] {
        let stream: TokenStream = [TokenTree::Literal(literal.clone())].into_iter().collect();
        let tokens: Vec<String> = stream.into_iter().map(|token| token.to_string()).collect();
        println!("{literal}: {}", tokens.join(" and "));
    }
    for text in ["- 1", "--1"] {
        println!("{text}: {}", if text.parse::<Literal>().is_ok() { "a literal" } else { "no literal" });
    }
}
RUST
cargo run --quiet > out 2> err || { cat err; exit 1; }
cat out
diff - out <<'OUT' || { echo "changed: the tokens are others" >&2; exit 1; }
-1i8: - and 1i8
1i8: 1i8
-1: - and 1
- 1: no literal
--1: no literal
OUT
