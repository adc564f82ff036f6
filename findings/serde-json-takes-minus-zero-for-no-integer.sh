#!/bin/sh
# One would expect `-0`, which is an integer of JSON by its grammar, to be read as 0 into an `i32`, as Python reads it, and as `-0` is 0 in Rust.
#
# Instead, serde_json makes the float -0.0 of it, so that the sign is kept, and refuses it where an integer is asked for: "invalid type: floating point
# `-0.0`, expected i32". As a `Value` it is not equal to 0, and is written as `-0.0`. An untagged enum takes the variant of a float in place of the one of an
# integer, without a word.
#
# Version: serde_json 1.0.154 and rustc 1.95.0. Source: `parse_number` in src/de.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "zero"
version = "0.0.0"
edition = "2024"
[dependencies]
serde = { version = "=1.0.229", features = ["derive"] }
serde_json = "=1.0.154"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Number {
    #[allow(unused)]
    Integer(i64),
    #[allow(unused)]
    Float(f64),
}

fn main() {
    for text in ["0", "-0", "-1"] {
        let integer = serde_json::from_str::<i32>(text).map_err(|error| error.to_string());
        let value: Value = serde_json::from_str(text).unwrap();
        let number: Number = serde_json::from_str(text).unwrap();
        println!("{text}: {integer:?}, equal to 0: {}, written as {value}, untagged {number:?}", value == Value::from(0));
    }
}
RUST
cargo +1.95.0 run --quiet > out
python3 -c 'import json; print("Python:", repr(json.loads("-0")))' >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other numbers' >&2; exit 1; }
0: Ok(0), equal to 0: true, written as 0, untagged Integer(0)
-0: Err("invalid type: floating point `-0.0`, expected i32 at line 1 column 2"), equal to 0: false, written as -0.0, untagged Float(-0.0)
-1: Ok(-1), equal to 0: false, written as -1, untagged Integer(-1)
Python: 0
SEEN
