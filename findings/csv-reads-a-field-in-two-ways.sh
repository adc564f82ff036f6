#!/usr/bin/env bash
# One would expect a field of a table to be read alike whatever is asked for: what is a number as a `u64` is a number as a `serde_json::Value`, and the other
# way round; and a field of a map or of an untagged enum to keep its text where it is asked for a text.
#
# Instead, the crate csv has two readers. One that is asked for an integer takes `0x1A` for 26, and refuses `1e3`, and one that is not told what is wanted
# (for a `Value`, an untagged enum, or whatever stands in a structure with `flatten`) takes `1e3` for 1000.0 and leaves `0x1A` a text. There a short name of a
# commit, such as `1e3` or `0077`, loses its text, `inf` becomes `null` in JSON, and an untagged enum that tries a `String` first has the number for 26, and
# an error for `true`. With `flatten`, a `String` of the inner structure refuses a field that looks like a number or is `true`, so that a table is read well
# until a name in it consists of digits.
#
# Version: csv 1.4.0, serde 1.0.229, serde_json 1.0.154 and rustc 1.95.0. Source: `deserialize_int!` and `infer_deserialize` in src/deserializer.rs of csv.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "fields"
version = "0.0.0"
edition = "2024"
[dependencies]
csv = "=1.4.0"
serde = { version = "=1.0.229", features = ["derive"] }
serde_json = "=1.0.154"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Plain {
    name: String,
}

#[derive(Deserialize)]
struct Outer {
    #[serde(flatten)]
    inner: Plain,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Either {
    Text(String),
    Number(f64),
}

fn read<T: DeserializeOwned>(field: &str) -> Option<T> {
    let table = format!("name\n{field}\n");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.deserialize().next().unwrap().ok()
}

fn shown<T>(read: Option<T>, shown: impl Fn(T) -> String) -> String {
    read.map_or("an error".into(), shown)
}

fn main() {
    for field in ["26", "0x1A", "1e3", "0077", "+5", "inf", "true", "abc"] {
        println!(
            "{field}: u64 {}, value {}, untagged {}, text {}, text in flatten {}",
            shown(read::<(u64,)>(field), |it| it.0.to_string()),
            shown(read::<(serde_json::Value,)>(field), |it| it.0.to_string()),
            shown(read::<(Either,)>(field), |it| format!("{:?}", it.0)),
            shown(read::<Plain>(field), |it| it.name),
            shown(read::<Outer>(field), |it| it.inner.name),
        );
    }
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: fields are read in another way' >&2; exit 1; }
26: u64 26, value 26, untagged Number(26.0), text 26, text in flatten an error
0x1A: u64 26, value "0x1A", untagged Text("0x1A"), text 0x1A, text in flatten 0x1A
1e3: u64 an error, value 1000.0, untagged Number(1000.0), text 1e3, text in flatten an error
0077: u64 77, value 77, untagged Number(77.0), text 0077, text in flatten an error
+5: u64 5, value 5, untagged Number(5.0), text +5, text in flatten an error
inf: u64 an error, value null, untagged Number(inf), text inf, text in flatten an error
true: u64 an error, value true, untagged an error, text true, text in flatten an error
abc: u64 an error, value "abc", untagged Text("abc"), text abc, text in flatten abc
SEEN
