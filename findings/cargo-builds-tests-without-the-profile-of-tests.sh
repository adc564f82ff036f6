#!/bin/sh
# One would expect `cargo build --tests` to make the programs that `cargo test` runs, with the settings of `[profile.test]`, so that a tool or a CI can build
# first, and run or measure what it finds in the messages.
#
# What happens: the profile goes by the verb alone. `cargo build --tests` takes `dev` for the tests and for the library that they link, and `[profile.test]` is
# read by nobody: a test that needs `debug-assertions = false`, or `opt-level = 3` to end in time, is another program there, with another name, and `cargo
# test` compiles everything again. `cargo test --no-run` and `cargo build --tests --profile test` make what `cargo test` runs.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: found by running it; cargo's book says at "Profile selection" that each command has its profile.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS || true
cd "$dir"
mkdir src tests
cat > Cargo.toml <<'TOML'
[package]
name = "built"
version = "0.0.0"
edition = "2024"
[profile.test]
debug-assertions = false
[workspace]
TOML
cat > src/lib.rs <<'RUST'
pub fn checked() -> bool {
    cfg!(debug_assertions)
}
RUST
cat > tests/it.rs <<'RUST'
#[test]
fn show() {
    println!("<test {}, library {}>", cfg!(debug_assertions), built::checked());
}
RUST
cat > programs.py <<'PYTHON'
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["reason"] == "compiler-artifact" and message["target"]["kind"] == ["test"]:
        print(message["executable"])
PYTHON
run() {
    echo "$*:"
    "$@" --message-format json 2> err > messages || { cat err >&2; exit 1; }
    program=$(python3 programs.py < messages)
    "$program" --nocapture | sed -n 's/.*<\(.*\)>.*/    \1/p'
}
{
    run cargo +1.95.0 build --tests
    built=$program
    run cargo +1.95.0 test --no-run
    [ "$program" != "$built" ] || { echo 'changed: one program' >&2; exit 1; }
    tested=$program
    run cargo +1.95.0 build --tests --profile test
    [ "$program" = "$tested" ] || { echo 'changed: another program' >&2; exit 1; }
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other settings' >&2; exit 1; }
cargo +1.95.0 build --tests:
    test true, library true
cargo +1.95.0 test --no-run:
    test false, library false
cargo +1.95.0 build --tests --profile test:
    test false, library false
SEEN
