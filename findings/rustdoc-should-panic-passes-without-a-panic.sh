#!/bin/sh
# One would expect a doc test that is marked `should_panic` to pass if its code panics, and to fail otherwise: "If the code doesn't panic, the test will
# fail", says the rustdoc book; and `#[should_panic]` on a test does look for a panic.
#
# What happens: a doc test is a program of its own, and each end of it but status 0 counts. It passes where `main` returns an error, where it calls
# `std::process::exit(1)`, where it aborts or is killed by a signal, in all editions. So an example that shows how a limit is checked passes when it cannot
# open its file any more, and one that should panic and takes the process down with it, by a panic in a destructor, passes as well. A panic of another thread
# does not count, as everywhere.
#
# Version: rustdoc 1.95.0 (59807616e 2026-04-14). Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset RUST_BACKTRACE RUST_TEST_THREADS RUST_TEST_NOCAPTURE || true
cd "$dir"
cat > documented.rs <<'RUST'
/// ```should_panic
/// panic!();
/// ```
pub fn panics() {}

/// ```should_panic
/// fn main() -> Result<(), String> {
///     Err("no such file".into())
/// }
/// ```
pub fn returns_an_error() {}

/// ```should_panic
/// let number: u8 = "x".parse()?;
/// # Ok::<(), std::num::ParseIntError>(())
/// ```
pub fn asks_for_one() {}

/// ```should_panic
/// std::process::exit(1);
/// ```
pub fn exits() {}

/// ```should_panic
/// std::process::abort();
/// ```
pub fn aborts() {}

/// ```should_panic
/// std::process::exit(0);
/// ```
pub fn exits_with_0() {}

/// ```should_panic
/// std::thread::spawn(|| panic!()).join().unwrap_err();
/// ```
pub fn panics_elsewhere() {}
RUST
for edition in 2021 2024; do
    echo "edition $edition:"
    rustc +1.95.0 --edition "$edition" --crate-type lib documented.rs
    rustdoc +1.95.0 --edition "$edition" --test documented.rs --extern documented=libdocumented.rlib > text 2>&1 || true
    sed -n 's/^test documented.rs - \([a-z_0-9]*\) .* \.\.\. \(.*\)/    \1: \2/p' text | sort
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other tests pass' >&2; exit 1; }
edition 2021:
    aborts: ok
    asks_for_one: ok
    exits: ok
    exits_with_0: FAILED
    panics: ok
    panics_elsewhere: FAILED
    returns_an_error: ok
edition 2024:
    aborts: ok
    asks_for_one: ok
    exits: ok
    exits_with_0: FAILED
    panics: ok
    panics_elsewhere: FAILED
    returns_an_error: ok
SEEN
