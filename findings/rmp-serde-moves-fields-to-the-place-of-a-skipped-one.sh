#!/bin/sh
# One would expect a value that is written and read again by the same type to be the same value, or an error. `skip_serializing_if = "Option::is_none"` with
# `default` is the usual way to leave out what is not there; with JSON it is safe, and postcard fails with an error.
#
# What happens, with MessagePack: `rmp_serde::to_vec` writes a struct as an array, and a field that is skipped is not in it. Reading gives the elements to the
# fields in order, so that each following field has moved by one, and `default` fills the end: what was in `memory` is read back as `time`, without an error,
# wherever the types fit; an error comes where they do not. Where the last fields are skipped all is right, so that a test with one of them passes.
# `to_vec_named` writes the names and is safe.
#
# Version: rmp-serde 1.3.1, postcard 1.2.0, serde 1.0.229 and rustc 1.95.0. Source: found by running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "moved"
version = "0.0.0"
edition = "2024"
[dependencies]
rmp-serde = "=1.3.1"
postcard = { version = "=1.2.0", features = ["use-std"] }
serde = { version = "=1.0.229", features = ["derive"] }
[workspace]
TOML
cat > src/main.rs <<'RUST'
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Limits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

fn show(name: &str, limits: &Limits, read: Result<Limits, impl Debug>) {
    match read {
        Ok(same) if same == *limits => println!("    {name}: the same"),
        Ok(other) => println!("    {name}: {other:?}"),
        Err(error) => println!("    {name}: error {error:?}"),
    }
}

fn main() {
    for limits in [
        Limits { time: Some(60), memory: None, names: vec![] },
        Limits { time: None, memory: Some(512), names: vec![] },
        Limits { time: None, memory: None, names: vec!["a".into()] },
    ] {
        println!("{limits:?}");
        show("to_vec", &limits, rmp_serde::from_slice(&rmp_serde::to_vec(&limits).unwrap()));
        show("to_vec_named", &limits, rmp_serde::from_slice(&rmp_serde::to_vec_named(&limits).unwrap()));
        show("postcard", &limits, postcard::from_bytes(&postcard::to_stdvec(&limits).unwrap()));
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other values are read' >&2; exit 1; }
Limits { time: Some(60), memory: None, names: [] }
    to_vec: the same
    to_vec_named: the same
    postcard: error DeserializeUnexpectedEnd
Limits { time: None, memory: Some(512), names: [] }
    to_vec: Limits { time: Some(512), memory: None, names: [] }
    to_vec_named: the same
    postcard: error DeserializeUnexpectedEnd
Limits { time: None, memory: None, names: ["a"] }
    to_vec: error TypeMismatch(FixArray(1))
    to_vec_named: the same
    postcard: error DeserializeBadOption
SEEN
