#!/bin/sh
# One would expect cargo to build a workspace anew where it was moved or copied with its `target`: `env!("CARGO_MANIFEST_DIR")` and what a build script said
# (`rustc-env`, files in `OUT_DIR`) hold the path of the place, and cargo knows of each variable that a program has read by `env!`.
#
# Instead, all is fresh: what identifies a package of a workspace is its path within the workspace. The program that `cargo run` starts in the copy has the
# old path in it, and reads its data from the original, or from nowhere once that is gone; `std::env::var("CARGO_MANIFEST_DIR")` of the same program says the
# new one. A change of a file has the program compiled for the new place, with what the script said in the old one. Whoever copies a workspace with `target`,
# to test a change there without a long build, tests with the files of the original.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `SourceId::stable_hash` in src/cargo/core/source_id.rs takes the root of the workspace off, and
# running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR || true
cd "$dir"
mkdir -p old/src
cat > old/Cargo.toml <<'TOML'
[package]
name = "app"
version = "0.0.0"
edition = "2024"
[workspace]
TOML
cat > old/build.rs <<'RUST'
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SCRIPT={}", std::env::var("CARGO_MANIFEST_DIR").unwrap());
}
RUST
cat > old/src/main.rs <<'RUST'
fn place(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}
fn main() {
    let run = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    println!("compiled in {}, script in {}, run in {}", place(env!("CARGO_MANIFEST_DIR")), place(env!("SCRIPT")), place(&run));
}
RUST
(cd old && cargo +1.95.0 run --quiet) > out
cp -a old copied
(cd copied && cargo +1.95.0 run --quiet) >> out
mv old moved
(cd moved && cargo +1.95.0 run --quiet) >> out
touch moved/src/main.rs
(cd moved && cargo +1.95.0 run --quiet) >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other places' >&2; exit 1; }
compiled in old, script in old, run in old
compiled in old, script in old, run in copied
compiled in old, script in old, run in moved
compiled in moved, script in old, run in moved
SEEN
