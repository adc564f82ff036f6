#!/bin/sh
# One would expect the crate `ignore` to leave out what a `.gitignore` names wherever the file lies, so that a walk through a copy of a workspace, with its
# `.gitignore`, gives the files that the walk through the workspace gave.
#
# Instead, a `.gitignore` counts only in a directory that has a `.git` beside it or above it. In a copy without one, such as a directory for a test or an
# unpacked archive, `target` is walked with all that is in it, and nothing says so. An empty directory `.git` is enough to change that, and so is
# `require_git(false)`. A file `.ignore` counts in both. Names that begin with a dot are left out in each case.
#
# Version: ignore 0.4.35 and rustc 1.95.0. Source: `require_git` in src/walk.rs and src/dir.rs, and running it.
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
ignore = "=0.4.35"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use ignore::WalkBuilder;

fn main() {
    for (name, needed) in [("by default", true), ("require_git(false)", false)] {
        let walk = WalkBuilder::new("copy").require_git(needed).sort_by_file_name(Ord::cmp).build();
        let files: Vec<String> = walk.map(|entry| entry.unwrap().path().strip_prefix("copy").unwrap().display().to_string()).collect();
        println!("{name}:{}", files.join(" "));
    }
}
RUST
mkdir -p copy/src copy/target copy/.github
touch copy/src/lib.rs copy/target/built copy/.github/ci copy/notes
echo target > copy/.gitignore
echo notes > copy/.ignore
cargo +1.95.0 build --quiet
{
    echo 'without .git'
    target/debug/walk
    mkdir copy/.git
    echo 'with an empty .git'
    target/debug/walk
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: others are left out' >&2; exit 1; }
without .git
by default: src src/lib.rs target target/built
require_git(false): src src/lib.rs
with an empty .git
by default: src src/lib.rs
require_git(false): src src/lib.rs
SEEN
