#!/usr/bin/env bash
# One would expect a text to be equal to itself, in a library that compares what a program printed with what was expected.
#
# What happens: snapbox replaces each backslash of the actual text by a slash, to make paths of Windows comparable, and leaves the expected one alone. So
# `assert_data_eq!(r"\d+", r"\d+")` fails, and so does every expected text with an escape, a regular expression or a path of Windows in it; the
# difference that it prints shows a slash which the program never printed. `r"\d+"` is equal to `r"/d+"`, whatever it is. It is so on Linux,
# and with text on both sides, not only with paths. `.raw()` on the expected side compares what is there.
#
# Version: snapbox 1.2.2 and rustc 1.95.0. Source: `normalize_paths` in snapbox's src/assert/mod.rs, which applies `FilterPaths` to the
# actual text.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR SNAPSHOTS || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "texts"
version = "0.0.0"
edition = "2024"
[dependencies]
snapbox = { version = "=1.2.2", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use snapbox::{IntoData, assert_data_eq};

fn equal(compare: impl FnOnce() + std::panic::UnwindSafe) -> bool {
    std::panic::catch_unwind(compare).is_ok()
}

fn main() {
    println!("plain, itself: {}", equal(|| assert_data_eq!("d+", "d+")));
    println!("backslash, itself: {}", equal(|| assert_data_eq!(r"\d+", r"\d+")));
    println!("backslash, slash: {}", equal(|| assert_data_eq!(r"\d+", "/d+")));
    println!("slash, backslash: {}", equal(|| assert_data_eq!("/d+", r"\d+")));
    println!("backslash, itself raw: {}", equal(|| assert_data_eq!(r"\d+", r"\d+".raw())));
}
RUST
cargo +1.95.0 run --quiet > out 2> err || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: snapbox compares backslashes otherwise' >&2; exit 1; }
plain, itself: true
backslash, itself: false
backslash, slash: true
slash, backslash: false
backslash, itself raw: true
SEEN
