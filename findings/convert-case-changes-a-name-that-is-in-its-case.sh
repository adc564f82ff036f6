#!/bin/sh
# One would expect the conversion of a name to snake case to leave alone what is in snake case, such as `u8_to_i32`, as rustc's lint for names and heck do.
#
# Instead, convert_case takes the place between a letter and a digit for the end of a word: `u8_to_i32` becomes `u_8_to_i_32`, and `x86_64` becomes `x_86_64`.
# A type `Utf8Error` gives `utf_8_error`, where heck gives `utf8_error`, so that names which one program has made with heck and another with convert_case do
# not meet. A name that goes to the case of types and back is not what it was.
#
# Version: convert_case 0.11.0, heck 0.5.0 and rustc 1.95.0. Source: the boundaries of digits in convert_case's src/boundary.rs, which are among the default
# ones, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "names"
version = "0.0.0"
edition = "2024"
[dependencies]
convert_case = "=0.11.0"
heck = "=0.5.0"
[workspace]
TOML
cat > src/main.rs <<'RUST'
#![deny(non_snake_case)]
use convert_case::{Case, Casing};
use heck::ToSnakeCase;

/// The lint takes these names.
mod snake {
    pub fn u8_to_i32() {}
    pub fn html5_parser() {}
    pub fn x86_64() {}
}

fn main() {
    let _ = (snake::u8_to_i32(), snake::html5_parser(), snake::x86_64());
    for name in ["u8_to_i32", "html5_parser", "x86_64", "Utf8Error", "U8ToI32"] {
        println!("{name}: convert_case {}, heck {}", name.to_case(Case::Snake), name.to_snake_case());
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other names' >&2; exit 1; }
u8_to_i32: convert_case u_8_to_i_32, heck u8_to_i32
html5_parser: convert_case html_5_parser, heck html5_parser
x86_64: convert_case x_86_64, heck x86_64
Utf8Error: convert_case utf_8_error, heck utf8_error
U8ToI32: convert_case u_8_to_i_32, heck u8_to_i32
SEEN
