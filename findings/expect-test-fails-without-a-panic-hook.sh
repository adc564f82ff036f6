#!/bin/sh
# expect-test: a test that fails calls no panic hook, and prints nothing to standard error.
#
# One would expect that a failing assertion of a library panics, so that `thread '..' panicked at ..` is printed, and that a hook which was set by
# `std::panic::set_hook` (to log panics, to stop a debugger, to tell panics in tests apart) sees it.
#
# What happens: `Expect::assert_eq` prints both texts to standard output and calls `std::panic::resume_unwind(Box::new(()))`. The test fails, but no hook
# runs, standard error is empty, and the payload is `()`, so that `catch_unwind` finds no message in it. Whoever reads the panics of a
# test run sees a failed test without one.
#
# Version: expect-test 1.5.1 and rustc 1.95.0. Source: `Runtime::fail_expect` in src/lib.rs ("Use resume_unwind instead of panic!() to prevent a
# backtrace, which is unnecessary noise.").
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir tests src
: >src/lib.rs
cat >Cargo.toml <<'TOML'
[package]
name = "labels"
version = "0.1.0"
edition = "2021"

[dev-dependencies]
expect-test = "=1.5.1"

[workspace]
TOML
cat >tests/labels.rs <<'RUST'
use expect_test::expect;

#[test]
fn of_a_library() {
    std::panic::set_hook(Box::new(|_| eprintln!("hook: a panic")));
    let caught = std::panic::catch_unwind(|| expect!["1.25"].assert_eq("1.05"));
    let payload = caught.unwrap_err();
    println!("payload is (): {}", payload.is::<()>());
    let _ = std::panic::take_hook();
    std::panic::resume_unwind(payload);
}

#[test]
fn of_the_standard_library() {
    std::panic::set_hook(Box::new(|_| eprintln!("hook: a panic")));
    assert_eq!("1.25", "1.05");
}
RUST

cargo test --quiet --no-run 2>build || { cat build; exit 1; }
run() {
    status=0
    cargo test --quiet --test labels "$1" -- --exact --nocapture >out 2>err || status=$?
    sed -i '/^error: test failed/d' err
    hooks=$(grep -c 'hook: a panic' err || true)
    echo "$1: status $status, hook ran $hooks times; printed to standard output:"
    cat out
}

run of_the_standard_library
[ "$status" = 101 ] && [ "$hooks" = 1 ] || { echo "changed: the standard library's assertion runs no hook" >&2; exit 1; }
run of_a_library
[ "$status" = 101 ] || { echo "changed: the test does not fail" >&2; exit 1; }
[ "$hooks" = 0 ] || { echo "changed: the hook ran" >&2; exit 1; }
grep -q 'payload is (): true' out || { echo "changed: the panic has another payload" >&2; exit 1; }
grep -q '1.05' out || { echo "changed: the texts are not printed to standard output" >&2; exit 1; }
echo "as described"
