#!/bin/sh
# One would expect that prettyplease prints a syntax tree as it is. A trait object that is written without `dyn`, as editions 2015 and
# 2018 permit it, gets one: syn's tree has `dyn_token: None`, and the printer writes `dyn ` whatever the tree says. In edition 2015 `dyn` is a
# contextual keyword, so that the meaning is mostly the same, but there is a token more, and the compiler warns of other things.
# Version: prettyplease 0.3.0 and syn 3.0.9.
# Source: `type_trait_object` in https://github.com/dtolnay/prettyplease/blob/master/src/ty.rs
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'END'
[package]
name = "printed"
version = "0.0.0"
edition = "2021"
[dependencies]
prettyplease = "=0.3.0"
syn = { version = "=3.0.9", default-features = false, features = ["full", "parsing"] }
[workspace]
END
cat > src/main.rs <<'END'
fn main() {
    let file: syn::File = syn::parse_str("type A = Box<Tr + Send>;").unwrap();
    print!("{}", prettyplease::unparse(&file));
}
END
printed=$(cargo run --quiet)
echo "type A = Box<Tr + Send>;  is printed as  $printed"
if [ "$printed" != "type A = Box<dyn Tr + Send>;" ]; then
    echo "this has changed" >&2
    exit 1
fi
