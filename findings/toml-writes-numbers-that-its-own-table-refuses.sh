#!/bin/sh
# One would expect what `toml::to_string` writes to be read by the same crate, whatever it is read into, and by toml_edit, whose parser it shares; and a
# number that TOML's 64 bits with a sign cannot hold to be refused when it is written.
#
# Instead, a `u64` above `i64::MAX`, such as a hash or a seed, is written, and read back into a struct or a map of `u64` without a word. `toml::Table` and
# `toml::Value` refuse the same text with "u64 value was too large", and toml_edit with "integer number overflowed", for the whole file. So a program that
# looks at one other key of the file, or changes it, fails at that number. toml_edit's own `to_string` refuses to write it.
#
# Version: toml 1.2.2, toml_edit 0.25.20 and rustc 1.95.0. Source: found by running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "numbers"
version = "0.0.0"
edition = "2024"
[dependencies]
toml = "=1.2.2"
toml_edit = { version = "=0.25.20", features = ["serde"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::collections::BTreeMap;

fn main() {
    let seeds = BTreeMap::from([("seed".to_string(), u64::MAX)]);
    let text = toml::to_string(&seeds).unwrap();
    println!("toml writes {text:?}");
    println!("toml reads it as a map: {}", toml::from_str::<BTreeMap<String, u64>>(&text).unwrap() == seeds);
    println!("toml reads it as a table: {:?}", toml::from_str::<toml::Table>(&text).map_err(|error| error.message().to_string()));
    let edited = text.parse::<toml_edit::DocumentMut>().map_err(|error| error.message().to_string());
    println!("toml_edit reads it: {:?}", edited.map(|document| document.to_string()));
    println!("toml_edit writes it: {:?}", toml_edit::ser::to_string(&seeds).map_err(|error| error.to_string()));
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other numbers' >&2; exit 1; }
toml writes "seed = 18446744073709551615\n"
toml reads it as a map: true
toml reads it as a table: Err("u64 value was too large")
toml_edit reads it: Err("integer number overflowed")
toml_edit writes it: Err("out-of-range value for u64 type")
SEEN
