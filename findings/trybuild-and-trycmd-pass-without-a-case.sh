#!/usr/bin/env bash
# One would expect a test of all files of a pattern to fail where no file has that name: the directory was renamed, or the pattern has a mistake. insta's
# `glob!` does so ("did not match any files"), and both libraries fail for a single path that is not there.
#
# Instead, trybuild and trycmd pass. trybuild says "There are no trybuild tests enabled yet" to standard error, past libtest's capture, and before that builds
# the dependencies of the crate, which may take a minute; trycmd says the same of itself in a way that is captured, and so is seen by nobody, as the test has
# passed.
#
# Version: trybuild 1.0.122, trycmd 1.2.1 and rustc 1.95.0. Source: `run_all` in trybuild's src/run.rs, and `run` in trycmd's src/runner.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR TRYBUILD TRYCMD || true
cd "$dir"
mkdir src tests
: > src/lib.rs
cat > Cargo.toml <<'TOML'
[package]
name = "cases"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
trybuild = "=1.0.122"
trycmd = { version = "=1.2.1", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
cat > tests/cases.rs <<'RUST'
#[test]
fn trybuild_path() {
    trybuild::TestCases::new().compile_fail("tests/renamed/missing.rs");
}
#[test]
fn trybuild_pattern() {
    trybuild::TestCases::new().compile_fail("tests/renamed/*.rs");
}
#[test]
fn trycmd_path() {
    trycmd::TestCases::new().case("tests/renamed/missing.toml");
}
#[test]
fn trycmd_pattern() {
    trycmd::TestCases::new().case("tests/renamed/*.toml");
}
RUST
cargo +1.95.0 test --quiet --no-run
RUST_BACKTRACE=0 cargo +1.95.0 test --quiet --test cases -- --color never --format pretty --test-threads 1 > said 2> err || true
sed -n 's/^test \([a-z_]*\) \.\.\. .*\(ok\|FAILED\)$/\1 \2/p' said > out
grep -h -o 'There are no [a-z ]*' said err >> out
cat out
cmp -s out - <<'SEEN' || { cat said err; echo 'changed: other tests pass' >&2; exit 1; }
trybuild_path FAILED
trybuild_pattern ok
trycmd_path FAILED
trycmd_pattern ok
There are no trybuild tests enabled yet
SEEN
