#!/bin/sh
# One would expect `glob("src/**")` of the crate that cargo reads its patterns with to find all that is below `src`, as a `.gitignore`, a shell and globset
# read it; and `Pattern::matches` of the same crate to be true for the paths that `glob` finds, and for no others.
#
# Instead, `glob("src/**")` finds the directories and not one file. For files it takes `src/**/*`. `Pattern::new("src/**")` matches the files as well. On the
# other hand, `src/*.rs` as a pattern matches `src/deep/two.rs`, as a star takes `/` by default, where `glob` goes no deeper than `src`. So a list of files
# that is made by `glob` and one that is filtered by `matches` differ in both directions.
#
# Version: glob 0.3.4, globset 0.4.22 and rustc 1.95.0. Source: `Paths::next` in src/lib.rs, which looks for directories only while the pattern is recursive;
# `require_literal_separator` of `MatchOptions`; and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "files"
version = "0.0.0"
edition = "2024"
[dependencies]
glob = "=0.3.4"
globset = { version = "=0.4.22", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    let all = ["in/deep", "in/deep/two.rs", "in/one.rs"];
    for pattern in ["in/**", "in/**/*", "in/*.rs"] {
        let found: Vec<String> = glob::glob(pattern).unwrap().map(|path| path.unwrap().display().to_string()).collect();
        let matched = all.map(|path| glob::Pattern::new(pattern).unwrap().matches(path));
        let other = all.map(|path| globset::GlobBuilder::new(pattern).literal_separator(true).build().unwrap().compile_matcher().is_match(path));
        println!("{pattern}: glob finds {found:?}");
        println!("{pattern}: Pattern matches {matched:?}, globset {other:?}");
    }
}
RUST
mkdir -p in/deep
touch in/one.rs in/deep/two.rs
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is found' >&2; exit 1; }
in/**: glob finds ["in/deep"]
in/**: Pattern matches [true, true, true], globset [true, true, true]
in/**/*: glob finds ["in/deep", "in/deep/two.rs", "in/one.rs"]
in/**/*: Pattern matches [true, true, true], globset [true, true, true]
in/*.rs: glob finds ["in/one.rs"]
in/*.rs: Pattern matches [false, true, true], globset [false, false, true]
SEEN
