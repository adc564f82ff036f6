#!/usr/bin/env bash
# One would expect a library that reads YAML in the place of serde_yaml to read a plain scalar as it was read there and as YAML 1.2 has it: `yes` is a text,
# `010` is ten or, as before, a text, and what serde_yaml wrote is read as what was written.
#
# Instead, serde-saphyr, where it is not told what type is wanted (a `serde_json::Value`, an untagged enum, a flattened structure), has the switches of YAML
# 1.1, so that `yes`, `on`, `off` and `y` are booleans, and no octal numbers: an integer with a zero before it is a float. `010` is 10.0 and the mode `0755`
# is 755.0, whereas `0o10` is 8. An integer beyond 64 bits is a float as well. `1_000` is a number. serde_yaml_ng, which goes on with the old library, writes
# "on" and "1_000" without quotes, as it reads them as texts; so each such text of an old file is another value now. Where a number or a switch is wanted, a
# text in quotes is taken for one. A `String` is safe in both, but for `null`, which is a text in the old library alone. Options give the texts back
# (`strict_booleans`, `leading_zero_numbers_as_strings`, `underscored_numbers_as_strings`); all are off unless asked for.
#
# Version: serde-saphyr 2.2.0, serde_yaml_ng 0.10.0, serde_json 1.0.154 and rustc 1.95.0. Source: `deserialize_any` in src/de/deserializer.rs and
# `leading_zero_decimal` in src/parse_scalars.rs of serde-saphyr.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "scalars"
version = "0.0.0"
edition = "2024"
[dependencies]
serde = "=1.0.229"
serde_json = "=1.0.154"
serde-saphyr = "=2.2.0"
serde_yaml_ng = "=0.10.0"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn both<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
    let saphyr = serde_saphyr::from_str::<T>(text).map_or("an error".to_string(), |it| format!("{it:?}"));
    let old = serde_yaml_ng::from_str::<T>(text).map_or("an error".to_string(), |it| format!("{it:?}"));
    format!("{saphyr} ({old})")
}

fn main() {
    println!("saphyr (serde_yaml_ng)");
    for text in ["10", "010", "0755", "0o10", "1_000", "99999999999999999999", "yes", "on", "y"] {
        println!("{text} as a value: {}", both::<Value>(text));
    }
    println!("010 as a u64: {}", both::<u64>("010"));
    println!("010 as an f64: {}", both::<f64>("010"));
    println!("'1' as a u64: {}", both::<u64>("'1'"));
    println!("'yes' as a bool: {}", both::<bool>("'yes'"));
    for text in ["010", "yes", "null"] {
        println!("{text} as a String: {}", both::<String>(text));
    }
    for word in ["on", "1_000", "010"] {
        let written = serde_yaml_ng::to_string(&json!({ "key": word })).unwrap();
        let read: Value = serde_saphyr::from_str(&written).unwrap();
        println!("serde_yaml_ng writes the text {word:?} as {written:?}; saphyr reads {read}");
    }
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: scalars are read in another way' >&2; exit 1; }
saphyr (serde_yaml_ng)
10 as a value: Number(10) (Number(10))
010 as a value: Number(10.0) (String("010"))
0755 as a value: Number(755.0) (String("0755"))
0o10 as a value: Number(8) (Number(8))
1_000 as a value: Number(1000) (String("1_000"))
99999999999999999999 as a value: Number(1e+20) (an error)
yes as a value: Bool(true) (String("yes"))
on as a value: Bool(true) (String("on"))
y as a value: Bool(true) (String("y"))
010 as a u64: an error (an error)
010 as an f64: 10.0 (10.0)
'1' as a u64: 1 (an error)
'yes' as a bool: true (an error)
010 as a String: "010" ("010")
yes as a String: "yes" ("yes")
null as a String: an error ("null")
serde_yaml_ng writes the text "on" as "key: on\n"; saphyr reads {"key":true}
serde_yaml_ng writes the text "1_000" as "key: 1_000\n"; saphyr reads {"key":1000}
serde_yaml_ng writes the text "010" as "key: '010'\n"; saphyr reads {"key":"010"}
SEEN
