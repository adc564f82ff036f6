#!/bin/sh
# One would expect a date of a TOML file that is read into a value of another format, as serde can do it, to be a text there, or an error, as JSON has no
# dates; and to be read into a `String`.
#
# Instead, it is a table with one key of the crate's own: `{"day":{"$__toml_private_datetime":"2020-01-01"}}`. This is what `serde_json::Value` holds, and
# what is written when a `toml::Table` is written as JSON, for whichever program is to read it. Written as TOML again, the value is a section `[day]` with
# that key, and the date is lost. A `String` is refused with the words "invalid type: map, expected a string", though there is no map in the file.
#
# Version: toml 1.2.2, serde_json 1.0.154 and rustc 1.95.0. Source: the crate toml_datetime, which gives its type to serde as a struct of a private name.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "dates"
version = "0.0.0"
edition = "2024"
[dependencies]
serde_json = "=1.0.154"
toml = "=1.2.2"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::collections::BTreeMap;

fn main() {
    let text = "day = 2020-01-01";
    let value: serde_json::Value = toml::from_str(text).unwrap();
    println!("JSON value: {value}");
    println!("JSON value as TOML: {:?}", toml::to_string(&value).unwrap());
    let table: toml::Table = toml::from_str(text).unwrap();
    println!("table as JSON: {}", serde_json::to_string(&table).unwrap());
    println!("table as TOML: {:?}", toml::to_string(&table).unwrap());
    println!("text: {:?}", toml::from_str::<BTreeMap<String, String>>(text).map_err(|error| error.message().to_string()));
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another value' >&2; exit 1; }
JSON value: {"day":{"$__toml_private_datetime":"2020-01-01"}}
JSON value as TOML: "[day]\n\"$__toml_private_datetime\" = \"2020-01-01\"\n"
table as JSON: {"day":{"$__toml_private_datetime":"2020-01-01"}}
table as TOML: "day = 2020-01-01\n"
text: Err("invalid type: map, expected a string")
SEEN
