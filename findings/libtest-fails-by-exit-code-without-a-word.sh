#!/bin/sh
# One would expect a failed test to have a block `---- name stdout ----` that says why. libtest even has a sentence for tests that return an
# `ExitCode`: "Error: the test returned a termination value with a non-zero status code (3) which indicates a failure".
#
# What happens: that sentence is made and thrown away. The test is FAILED and named in the list, but has no block, with or without `--show-output` and
# `--nocapture`, and the 3 is printed nowhere. A test that returns `Err` has its block only since `main`'s machinery prints the error itself.
# Whoever reads the reason of a failure from the blocks finds none for such a test.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `assert_test_result` in library/test/src/lib.rs makes the text, `calc_result` in
# test_result.rs takes it for a panic's payload, and drops it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > tests.rs <<'RUST'
use std::process::ExitCode;
#[test]
fn by_code() -> ExitCode { ExitCode::from(3) }
#[test]
fn by_error() -> Result<(), &'static str> { Err("reason") }
RUST
rustc +1.95.0 --test --edition 2024 -o tests tests.rs
for option in --test-threads=1 --show-output --nocapture; do
    status=0
    ./tests "$option" > out 2>&1 || status=$?
    echo "== $option: status $status"
    grep -v '^$' out
    [ "$status" = 101 ] || { echo "changed: the tests do not fail" >&2; exit 1; }
    grep -q '^test by_code ... FAILED' out || { echo "changed: an exit code does not fail a test" >&2; exit 1; }
    grep -q 'Error: "reason"' out || { echo "changed: an error is not printed" >&2; exit 1; }
    ! grep -q -e '---- by_code' -e 'status code' -e '(3)' out || { echo "changed: libtest says why" >&2; exit 1; }
done
grep -q 'the test returned a termination value with a non-zero status code' tests || { echo "changed: there is no such sentence" >&2; exit 1; }
