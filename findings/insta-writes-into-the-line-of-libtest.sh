#!/bin/sh
# One would expect the output of a library that is called in a test to be captured with the test's own, so that each test has one line of its own,
# `test NAME ... FAILED`, in what the test program prints.
#
# What happens: insta writes "stored new snapshot PATH" past the capture, to the process's standard error, in the middle of the test. With one thread, and both
# streams in one file or on one terminal, the line becomes `test NAME ... stored new snapshot PATH`, and `FAILED` stands alone on the next one.
# Whoever looks for a line that begins with `test ` and ends in `FAILED` does not find the test that failed. An inline snapshot says nothing of the kind.
#
# Version: insta 1.49.0 and rustc 1.95.0. Source: insta's src/runtime.rs writes to `std::io::stderr()`, which libtest does not capture, whereas `eprintln!`
# is captured.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src tests
: > src/lib.rs
cat > Cargo.toml <<'TOML'
[package]
name = "lines"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
insta = { version = "=1.49.0", default-features = false }
[workspace]
TOML
cat > tests/lines.rs <<'RUST'
#[test]
fn in_a_file() {
    eprintln!("captured");
    insta::assert_snapshot!("name", "text");
}
#[test]
fn inline() {
    insta::assert_snapshot!("text", @"another text");
}
RUST
cargo test --quiet --no-run 2> err || { cat err; exit 1; }
status=0
INSTA_UPDATE=new RUST_BACKTRACE=0 cargo test --quiet --test lines -- --format pretty --test-threads 1 > out 2>&1 || status=$?
grep -A 1 '^test ' out
[ "$status" = 101 ] || { echo "changed: no test fails" >&2; exit 1; }
grep -q '^test inline ... FAILED$' out || { echo "changed: the inline test has another line" >&2; exit 1; }
grep -A 1 '^test in_a_file ... stored new snapshot ' out | tail -n 1 | grep -q '^FAILED$' || { echo "changed: the line is whole" >&2; exit 1; }
grep -q '^captured$' out || { echo "changed: the test's own text is missing" >&2; exit 1; }
