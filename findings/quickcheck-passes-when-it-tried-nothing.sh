#!/usr/bin/env bash
# One would expect a property of which every input is thrown away (`TestResult::discard()`, for what does not fulfil its condition) to fail, as nothing was tried:
# so it is with proptest, which gives up with "Too many global rejects", and with Haskell's QuickCheck.
#
# What happens: quickcheck passes the test and prints nothing, after 10,000 inputs none of which was tried. A condition that became impossible by a change elsewhere
# is not noticed. `quicktest` returns `Ok(0)` for it, and `min_tests_passed(1)`, or `QUICKCHECK_MIN_TESTS_PASSED=1`, makes it fail; the default is 0.
#
# Version: quickcheck 1.1.0 and rustc 1.95.0. Source: `qc_min_tests_passed` in quickcheck's src/tester.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR QUICKCHECK_TESTS QUICKCHECK_MAX_TESTS QUICKCHECK_MIN_TESTS_PASSED RUST_BACKTRACE || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "tries"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
quickcheck = { version = "=1.1.0", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/lib.rs <<'RUST'
#[cfg(test)]
mod tests {
    use quickcheck::{QuickCheck, TestResult, quickcheck};
    use std::sync::atomic::{AtomicUsize, Ordering};

    static ASKED: AtomicUsize = AtomicUsize::new(0);

    fn never(number: u8) -> TestResult {
        ASKED.fetch_add(1, Ordering::Relaxed);
        if u16::from(number) < 256 { TestResult::discard() } else { TestResult::failed() }
    }

    #[test]
    fn property() {
        quickcheck(never as fn(u8) -> TestResult);
        println!("asked {}", ASKED.load(Ordering::Relaxed));
        println!("{:?}", QuickCheck::new().quicktest(never as fn(u8) -> TestResult).map_err(|_| "a failure"));
    }
}
RUST
status=0
cargo +1.95.0 test --quiet --lib -- --no-capture > out 2>&1 || status=$?
cat out
[ "$status" = 0 ] || { echo 'changed: the test fails' >&2; exit 1; }
grep -q '^asked 10000$' out || { echo 'changed: another number of inputs' >&2; exit 1; }
grep -q '^Ok(0)$' out || { echo 'changed: `quicktest` returns something else' >&2; exit 1; }
if QUICKCHECK_MIN_TESTS_PASSED=1 cargo +1.95.0 test --quiet --lib > strict 2>&1; then
    echo 'changed: it passes with one test that has to pass, too' >&2
    exit 1
fi
grep -i 'unable to generate\|not enough\|discard' strict || true
