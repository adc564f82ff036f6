#!/bin/sh
# One would expect `#[test]` to be a mark: to have it twice, as a macro's output or a merge may, means what it means once, perhaps with a warning, and the
# name of a test is the name of one test.
#
# Instead, each `#[test]` makes a test. The function is run twice, possibly at the same time in two threads, is listed twice, counted twice, and `--exact`
# with its name runs two tests. There is a warning, "duplicated attribute", which `--cap-lints allow` hides. JSON, JUnit and whoever keeps results by their
# name see two results of one name, which may differ.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `expand_test_or_bench` in compiler/rustc_builtin_macros/src/test.rs, by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset RUST_TEST_THREADS RUST_TEST_SHUFFLE || true
cat > tests.rs <<'RUST'
use std::sync::atomic::{AtomicU8, Ordering};
static RUNS: AtomicU8 = AtomicU8::new(0);

#[test]
#[test]
fn first_run_only() {
    assert_eq!(RUNS.fetch_add(1, Ordering::SeqCst), 0);
}
RUST
rustc +1.95.0 --edition 2024 --test tests.rs -o tests 2> err
grep '^warning: duplicated attribute' err
./tests --list > list
! RUST_BACKTRACE=0 ./tests --exact first_run_only --test-threads 1 > out 2>&1
grep '^test first_run_only' out
listed=$(grep -c -x 'first_run_only: test' list)
passed=$(grep -c -x 'test first_run_only \.\.\. ok' out || true)
failed=$(grep -c -x 'test first_run_only \.\.\. FAILED' out || true)
echo "listed $listed times, passed $passed times, failed $failed times"
[ "$listed $passed $failed" = '2 1 1' ] || { echo 'changed: another number of tests' >&2; exit 1; }
