#!/bin/sh
# One would expect the `features` of a package in `cargo metadata`'s `resolve` to be those that it is compiled with, as its documentation says: "features
# enabled on the package". Since edition 2021 what tests ask for is not there in a build.
#
# Instead, `resolve` joins the features that are asked for by dependencies, development dependencies and build scripts, for all platforms, as resolver "1"
# does, whatever `resolver` and `edition` say. `--filter-platform` leaves dependencies of other platforms out, and not the features that they ask for. Here
# `cargo check` compiles `codec` with neither feature, and with one it would not compile; `cargo metadata` lists both. Neither a package nor a kind of
# dependency can be chosen, so that whoever compiles by that list compiles another program than cargo. `cargo tree --edges no-dev`, and `--unit-graph`
# (unstable), have the true ones.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `build_resolve_graph` in src/cargo/ops/cargo_output_metadata.rs, which calls `resolve_ws_with_opts`
# with `HasDevUnits::Yes` and prints `resolve.features_sorted`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir -p app/src codec/src
cat > Cargo.toml <<'TOML'
[workspace]
resolver = "3"
members = ["app", "codec"]
TOML
cat > app/Cargo.toml <<'TOML'
[package]
name = "app"
version = "0.0.0"
edition = "2024"
[dependencies]
codec = { path = "../codec" }
[dev-dependencies]
codec = { path = "../codec", features = ["slow"] }
[target.'cfg(windows)'.dependencies]
codec = { path = "../codec", features = ["windows"] }
TOML
cat > codec/Cargo.toml <<'TOML'
[package]
name = "codec"
version = "0.0.0"
edition = "2024"
[features]
slow = []
windows = []
TOML
echo 'pub use codec::encode;' > app/src/lib.rs
cat > codec/src/lib.rs <<'RUST'
#[cfg(any(feature = "slow", feature = "windows"))]
compile_error!("not in a build on this system");
pub fn encode() {}
RUST
cargo +1.95.0 check --quiet --package app
cat > features.py <<'PYTHON'
import json, sys
for node in json.load(sys.stdin)["resolve"]["nodes"]:
    if node["id"].endswith("codec#0.0.0"):
        print(" ".join(sorted(node["features"])))
PYTHON
host=$(rustc +1.95.0 -vV | sed -n 's/^host: //p')
all=$(cargo +1.95.0 metadata --format-version 1 | python3 features.py)
filtered=$(cargo +1.95.0 metadata --format-version 1 --filter-platform "$host" | python3 features.py)
tree=$(cargo +1.95.0 tree --package app --edges no-dev --format '{p}:{f}' --prefix none | sed -n 's/^codec .*://p')
echo "cargo metadata: $all; with --filter-platform: $filtered; cargo tree: $tree"
[ "$all" = 'slow windows' ] || { echo 'changed: other features in the metadata' >&2; exit 1; }
[ "$filtered" = 'slow windows' ] || { echo 'changed: other features with --filter-platform' >&2; exit 1; }
[ "$tree" = '' ] || { echo 'changed: other features in the tree' >&2; exit 1; }
