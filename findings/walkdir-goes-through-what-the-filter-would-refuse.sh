#!/bin/sh
# One would expect `filter_entry(|entry| entry.file_name() != "target")` of walkdir to keep the walk out of directories of that name at any depth, as it is
# there to "efficiently skip directories", whatever else is set.
#
# Instead, `min_depth` leaves holes in it. The function is not asked about what is above that depth, though the walk goes through it. With `min_depth(2)`, to
# have the files in each package and not the packages, all that is in `./target` is walked and listed: the function is only asked about its contents, which
# have other names. The documentation says that entries above are not passed to the function; that they are entered all the same follows from it.
#
# Version: walkdir 2.5.1 and rustc 1.95.0. Source: `FilterEntry::next` in src/lib.rs, which gets only what `IntoIter` gives.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "walk"
version = "0.0.0"
edition = "2024"
[dependencies]
walkdir = "=2.5.1"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use walkdir::WalkDir;

fn main() {
    for depth in 0..3 {
        let mut asked = Vec::new();
        let given: Vec<String> = WalkDir::new("in")
            .min_depth(depth)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| {
                asked.push(entry.path().display().to_string());
                entry.file_name() != "target"
            })
            .map(|entry| entry.unwrap().path().display().to_string())
            .collect();
        println!("min_depth {depth}: asked for {}", asked.join(" "));
        println!("min_depth {depth}: gives {}", given.join(" "));
    }
}
RUST
mkdir -p in/app in/target/debug
touch in/app/main.rs in/target/debug/app
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is walked' >&2; exit 1; }
min_depth 0: asked for in in/app in/app/main.rs in/target
min_depth 0: gives in in/app in/app/main.rs
min_depth 1: asked for in/app in/app/main.rs in/target
min_depth 1: gives in/app in/app/main.rs
min_depth 2: asked for in/app/main.rs in/target/debug in/target/debug/app
min_depth 2: gives in/app/main.rs in/target/debug in/target/debug/app
SEEN
