#!/bin/sh
# Guess: a macro call in braces that the printer does not know, such as `flags! { struct S: u16 { const A = 1; const B = 2; } }`, is printed with
# a line for each item, as its braces are nested; or on one line if nothing is known of it.
# In fact the outer braces get lines of their own, and all between them is filled like a paragraph: lines end at the width wherever a token
# ends, also inside an expression (`1 <<` and its operand are on two lines), nested braces stay inline, and a colon gets a space before it.
# Version: prettyplease 0.3.0 and syn 3.0.9.
# Source: `mac` in https://github.com/dtolnay/prettyplease/blob/master/src/mac.rs
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'END_OF_MANIFEST'
[package]
name = "printed"
version = "0.0.0"
edition = "2021"
[dependencies]
prettyplease = "=0.3.0"
syn = { version = "=3.0.9", default-features = false, features = ["full", "parsing"] }
[workspace]
END_OF_MANIFEST
cat > src/main.rs <<'END_OF_PROGRAM'
fn main() {
    let text = "flags! { struct Permissions: u16 { const READ = 1; const WRITE = 1 << 1; \
                const DELETE = 1 << 2; const INVITE = 1 << 4; } }";
    let file: syn::File = syn::parse_str(text).unwrap();
    print!("{}", prettyplease::unparse(&file));
}
END_OF_PROGRAM
printed=$(cargo run --quiet)
echo "$printed"
expected='flags! {
    struct Permissions : u16 { const READ = 1; const WRITE = 1 << 1; const DELETE = 1 <<
    2; const INVITE = 1 << 4; }
}'
if [ "$printed" != "$expected" ]; then
    echo "this has changed" >&2
    exit 1
fi
