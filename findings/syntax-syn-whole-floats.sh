#!/bin/sh
# One would expect `1f64` to be a float to a parser of Rust: rustc gives it the type `f64`, and refuses it as an integer. syn has a `Lit::Int` with
# the suffix `f64`, whereas `1.0f64` and `1e0f64` are a `Lit::Float`; and `0x1f64` is a `Lit::Int` without a suffix, as its letters are digits. Whoever
# matches on `Lit::Float` misses those without a point, as does whoever takes each `Lit::Int` for a number that may be an index.
# Version: syn 3.0.9.
# Source: `Lit::new` in https://github.com/dtolnay/syn/blob/master/src/lit.rs, which tries integers first.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'END'
[package]
name = "literals"
version = "0.0.0"
edition = "2021"
[dependencies]
syn = { version = "=3.0.9", default-features = false, features = ["parsing"] }
[workspace]
END
cat > src/main.rs <<'END'
fn main() {
    for text in ["1f64", "1.0f64", "1e0f64", "0x1f64"] {
        let kind = match syn::parse_str::<syn::Lit>(text).unwrap() {
            syn::Lit::Int(one) => format!("Int({:?})", one.suffix()),
            syn::Lit::Float(one) => format!("Float({:?})", one.suffix()),
            _ => "other".to_owned(),
        };
        print!("{text} {kind}; ");
    }
}
END
printed=$(cargo run --quiet)
echo "$printed"
if [ "$printed" != '1f64 Int("f64"); 1.0f64 Float("f64"); 1e0f64 Float("f64"); 0x1f64 Int(""); ' ]; then
    echo "this has changed" >&2
    exit 1
fi
