#!/bin/sh
# One would expect the two variables for flags, `RUSTFLAGS` and `CARGO_BUILD_RUSTFLAGS` (the one of the setting `build.rustflags`), to treat the flags in a
# configuration file alike, and an empty variable to count as one that is not set.
#
# What happens: `RUSTFLAGS` takes the place of the file's flags, even when it is empty, so that `RUSTFLAGS= cargo check` is a way to turn them off.
# `CARGO_BUILD_RUSTFLAGS` is added to them, and takes nothing away. A table `[target.'cfg(..)']` takes the place of `build.rustflags`, the
# variable's part of it included, though a variable otherwise precedes a file.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `env_args` and `rustflags_from_build` in src/cargo/core/compiler/build_context/target_info.rs.
set -eu
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS || true
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src .cargo
cat > Cargo.toml <<'TOML'
[package]
name = "flags"
version = "0.0.0"
edition = "2024"
[lints.rust]
unexpected_cfgs = "allow"
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    println!("file {}, variable {}, target {}", cfg!(file), cfg!(variable), cfg!(target));
}
RUST
printf '[build]\nrustflags = ["--cfg", "file"]\n' > .cargo/config.toml

wants() {
    expected=$1
    shift
    printed=$(env "$@" cargo run --quiet)
    echo "${*:-nothing}: $printed"
    [ "$printed" = "$expected" ] || { echo "changed: it was $expected" >&2; exit 1; }
}
wants 'file true, variable false, target false'
wants 'file false, variable true, target false' 'RUSTFLAGS=--cfg variable'
wants 'file false, variable false, target false' RUSTFLAGS=
wants 'file true, variable true, target false' 'CARGO_BUILD_RUSTFLAGS=--cfg variable'
wants 'file true, variable false, target false' CARGO_BUILD_RUSTFLAGS=
printf '[target."cfg(all())"]\nrustflags = ["--cfg", "target"]\n' >> .cargo/config.toml
wants 'file false, variable false, target true' 'CARGO_BUILD_RUSTFLAGS=--cfg variable'
