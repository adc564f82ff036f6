#!/bin/sh
# One would expect `#[should_panic(expected = "")]` to mean the same as `#[should_panic]`, as each message contains the empty text.
#
# What happens: it means "a panic whose payload is a text". A test that panics with `panic_any(5)`, or with an error type of its own, passes with
# `#[should_panic]` and fails with the empty expectation. What libtest prints then names the payload by `TypeId(0x..)`, a number that depends on the
# compiler, so that two runs with different toolchains differ in that line.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `calc_result` in library/test/src/test_result.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > tests.rs <<'RUST'
#[test]
#[should_panic]
fn number_and_no_expectation() { std::panic::panic_any(5) }
#[test]
#[should_panic(expected = "")]
fn number_and_an_empty_one() { std::panic::panic_any(5) }
#[test]
#[should_panic(expected = "")]
fn text_and_an_empty_one() { panic!("a text") }
RUST
rustc +1.95.0 --test --edition 2024 -o tests tests.rs
status=0
RUST_BACKTRACE=0 ./tests --test-threads 1 > out 2>&1 || status=$?
cat out
[ "$status" = 101 ] || { echo "changed: no test fails" >&2; exit 1; }
grep -q '^test number_and_no_expectation - should panic ... ok' out || { echo "changed: \`should_panic\` wants a text" >&2; exit 1; }
grep -q '^test text_and_an_empty_one - should panic ... ok' out || { echo "changed: a text does not contain the empty one" >&2; exit 1; }
grep -q '^test number_and_an_empty_one - should panic ... FAILED' out || { echo "changed: the empty expectation is met" >&2; exit 1; }
grep -q 'TypeId(0x' out || { echo "changed: the payload's type is named in another way" >&2; exit 1; }
