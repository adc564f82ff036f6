#!/usr/bin/env bash
# One would expect the Rust crate node-semver, which says that it is compatible with npm's ranges, to take the versions that npm's own semver takes; and two
# conditions beside each other to hold both.
#
# Instead, two conditions that exclude each other become alternatives: nothing is in `>1 <2` for npm (`>1` begins with 2.0.0), and everything is for the
# crate; `1.2.3 1.2.4` is either of them. `<=1` ends before 1.0.0 itself, whereas for npm all of 1 is in it, and `<=1.2` has none of the versions 1.2. What is
# not understood is dropped as long as something is left: `>1.0.0, <2`, as Rust's crate semver writes it, is `<2` and takes 0.1.0, and `1.2.3 and more` is
# 1.2.3; npm refuses both. An empty range, which npm has for any version, is refused. A tool that chooses packages by the crate chooses others than npm, and
# never fails for a condition that cannot hold.
#
# Version: node-semver 2.2.0 (the crate), semver 7.8.6 (npm) and rustc 1.95.0. Source: `range`, `garbage` and `primitive` in src/range.rs of the crate:
# `range` keeps both sets of versions in the list of alternatives where their intersection is empty.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "ranges"
version = "0.0.0"
edition = "2024"
[dependencies]
node-semver = "=2.2.0"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use node_semver::{Range, Version};

fn main() {
    let versions: Vec<Version> = ["0.1.0", "1.0.0", "1.2.3", "1.2.4", "1.5.0", "2.0.0", "2.1.0"].iter().map(|version| version.parse().unwrap()).collect();
    for text in std::env::args().skip(1) {
        let taken: String = match text.parse::<Range>() {
            Ok(range) => versions.iter().filter(|version| version.satisfies(&range)).map(|version| version.to_string()).map(|version| version + " ").collect(),
            Err(_) => "refused".into(),
        };
        println!("crate, {text:?}: {taken}");
    }
}
RUST
cat > npm.js <<'JS'
const semver = require('semver')
const versions = ['0.1.0', '1.0.0', '1.2.3', '1.2.4', '1.5.0', '2.0.0', '2.1.0']
for (const text of process.argv.slice(2)) {
  const taken = semver.validRange(text) === null ? 'refused' : versions.filter(version => semver.satisfies(version, text)).join(' ')
  console.log(`npm, "${text}": ${taken}`)
}
JS
npm install --silent --no-audit --no-fund --cache "$dir/cache" semver@7.8.6 > log 2>&1 || { cat log; exit 1; }
set -- '>=1.2.0 <2' '>1 <2' '1.2.3 1.2.4' '<=1' '<=1.2' '<=1.2.4' '>1.0.0, <2' '1.2.3 and more' ''
cargo +1.95.0 build --quiet 2> err || { cat err; exit 1; }
{
    node npm.js "$@"
    target/debug/ranges "$@"
} | sed 's/ *$//' > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other versions are taken' >&2; exit 1; }
npm, ">=1.2.0 <2": 1.2.3 1.2.4 1.5.0
npm, ">1 <2":
npm, "1.2.3 1.2.4":
npm, "<=1": 0.1.0 1.0.0 1.2.3 1.2.4 1.5.0
npm, "<=1.2": 0.1.0 1.0.0 1.2.3 1.2.4
npm, "<=1.2.4": 0.1.0 1.0.0 1.2.3 1.2.4
npm, ">1.0.0, <2": refused
npm, "1.2.3 and more": refused
npm, "": 0.1.0 1.0.0 1.2.3 1.2.4 1.5.0 2.0.0 2.1.0
crate, ">=1.2.0 <2": 1.2.3 1.2.4 1.5.0
crate, ">1 <2": 0.1.0 1.0.0 1.2.3 1.2.4 1.5.0 2.0.0 2.1.0
crate, "1.2.3 1.2.4": 1.2.3 1.2.4
crate, "<=1": 0.1.0
crate, "<=1.2": 0.1.0 1.0.0
crate, "<=1.2.4": 0.1.0 1.0.0 1.2.3 1.2.4
crate, ">1.0.0, <2": 0.1.0 1.0.0 1.2.3 1.2.4 1.5.0
crate, "1.2.3 and more": 1.2.3
crate, "": refused
SEEN
