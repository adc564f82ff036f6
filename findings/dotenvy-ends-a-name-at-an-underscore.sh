#!/usr/bin/env bash
# One would expect `$NAME_PART` in a file of variables (`.env`) to be the variable of that name, as a shell and other readers of such files have it, since the
# same file may give this name a value; and `${NAME:-word}` to be the word where the variable is not there, or an error.
#
# Instead, dotenvy ends a name without braces at the first character that is no letter and no digit: `$DATA_DIR` is the variable `DATA`, followed by `_DIR`.
# Where there is no `DATA` it is only `_DIR`, without an error, so a path `$DATA_DIR/log` becomes `_DIR/log` in the current directory. With braces all is read
# up to the closing one: `${DATA_DIR}` is right, and `${DATA_DIR:-/tmp}` is the variable with just that name, which is nowhere: an empty text, even where
# `DATA_DIR` is set.
#
# Version: dotenvy 0.15.7 and rustc 1.95.0. Source: `parse_value` and `apply_substitution` in src/parse.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR DATA DATA_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "variables"
version = "0.0.0"
edition = "2024"
[dependencies]
dotenvy = "=0.15.7"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn shown(text: &str) {
    let read: Vec<_> = dotenvy::from_read_iter(text.as_bytes()).map(|pair| pair.unwrap()).collect();
    println!("{:?} is {:?}", text.lines().last().unwrap(), read.last().unwrap().1);
}

fn main() {
    for value in ["$DATA_DIR/log", "${DATA_DIR}/log", "${DATA_DIR:-/tmp}/log", "\"$DATA_DIR/log\"", "'$DATA_DIR/log'", "$DATA.x"] {
        shown(&format!("DATA_DIR=/srv\nLOG={value}"));
    }
    println!("with another variable DATA:");
    shown("DATA=/data\nDATA_DIR=/srv\nLOG=$DATA_DIR/log");
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other values' >&2; exit 1; }
"LOG=$DATA_DIR/log" is "_DIR/log"
"LOG=${DATA_DIR}/log" is "/srv/log"
"LOG=${DATA_DIR:-/tmp}/log" is "/log"
"LOG=\"$DATA_DIR/log\"" is "_DIR/log"
"LOG='$DATA_DIR/log'" is "$DATA_DIR/log"
"LOG=$DATA.x" is ".x"
with another variable DATA:
"LOG=$DATA_DIR/log" is "/data_DIR/log"
SEEN
