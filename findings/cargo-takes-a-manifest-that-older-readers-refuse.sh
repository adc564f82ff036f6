#!/bin/sh
# One would expect an inline table of a `Cargo.toml` to stand on one line, as TOML 1.0 has it, and Python's tomllib and toml 0.8 to read each manifest that
# cargo reads.
#
# Instead, cargo takes TOML 1.1: line ends, comments and a comma at the end in an inline table, and `\x41` in a text, without a warning and without a look at
# `rust-version`. tomllib and toml 0.8 refuse such a manifest; toml 0.9 reads it. `cargo package` writes a manifest that all read, so that the users of a
# published crate see nothing of it. Whoever reads the manifests of a workspace, or of its repository, does.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21), toml 0.8.23 and 0.9.8, and Python 3.11. Source: found by running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir -p read/src made/src
cat > read/Cargo.toml <<'TOML'
[package]
name = "read"
version = "0.0.0"
edition = "2024"
[dependencies]
toml_8 = { package = "toml", version = "=0.8.23" }
toml_9 = { package = "toml", version = "=0.9.8" }
[profile.dev]
debug = 0
[workspace]
TOML
cat > read/src/main.rs <<'RUST'
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("toml 0.8: {}", if toml_8::from_str::<toml_8::Table>(&text).is_ok() { "yes" } else { "no" });
    println!("toml 0.9: {}", if toml_9::from_str::<toml_9::Table>(&text).is_ok() { "yes" } else { "no" });
}
RUST
cat > made/Cargo.toml <<'TOML'
[package]
name = "made"
version = "0.0.0"
edition = "2024"
rust-version = "1.85"
description = "\x41"
license = "MIT"
[lints]
rust = {
    unused = "deny", # what nobody uses
    dead_code = "warn",
}
[workspace]
TOML
echo '//! One.' > made/src/lib.rs
# Which of them read the manifest.
readers() {
    said=no
    ! python3 -c 'import sys, tomllib; tomllib.load(open(sys.argv[1], "rb"))' "$1" 2> err || said=yes
    echo "tomllib: $said"
    cargo +1.95.0 run --quiet --manifest-path read/Cargo.toml < "$1"
}
{
    cargo +1.95.0 check --manifest-path made/Cargo.toml > said 2>&1 && echo "cargo: yes, warnings: $(grep -c warning said || true)"
    readers made/Cargo.toml
    cargo +1.95.0 package --quiet --allow-dirty --no-verify --manifest-path made/Cargo.toml 2> err
    tar -xzf made/target/package/made-0.0.0.crate
    echo 'as it is packaged'
    readers made-0.0.0/Cargo.toml
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other readers' >&2; exit 1; }
cargo: yes, warnings: 0
tomllib: no
toml 0.8: no
toml 0.9: yes
as it is packaged
tomllib: yes
toml 0.8: yes
toml 0.9: yes
SEEN
