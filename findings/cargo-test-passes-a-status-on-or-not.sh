#!/bin/sh
# One would expect `cargo test` to end with 101 when a test fails, as it documents for its own failures; or, if it passes the status of the test program
# on (which may have a harness of its own), to do so whenever it is the only one that failed.
#
# What happens: a test program that ends with 3 makes `cargo test` end with 3, and with `--no-fail-fast` with 101, though the same program failed. A status
# of 0 to 255 that a script waits for is thus lost by an option that is about what runs next. One that is ended by a signal gives 101 both times.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `run_tests` and `TestError` in src/cargo/ops/cargo_test.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src tests
: > src/lib.rs
cat > Cargo.toml <<'TOML'
[package]
name = "statuses"
version = "0.0.0"
edition = "2024"
[[test]]
name = "three"
harness = false
[[test]]
name = "signal"
harness = false
[workspace]
TOML
echo 'fn main() { std::process::exit(3) }' > tests/three.rs
echo 'fn main() { std::process::abort() }' > tests/signal.rs

wants() {
    expected=$1
    shift
    status=0
    cargo test --quiet "$@" > out 2>&1 || status=$?
    echo "cargo test $*: $status"
    [ "$status" = "$expected" ] || { cat out; echo "changed: the status was $expected" >&2; exit 1; }
}
wants 3 --test three
wants 101 --test three --no-fail-fast
wants 101 --test signal
wants 101 --test signal --no-fail-fast
