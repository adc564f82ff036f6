#!/bin/sh
# One would expect a harness that mimics the command line of libtest to take the arguments that people and tools give to all test programs of a workspace,
# with `cargo test -- ..`; its documentation names the capture of output and the format `junit` as notable differences.
#
# What happens: libtest takes any number of names, and libtest-mimic one: `cargo test -- one two` runs both tests of the first program, and the second one
# ends with "unexpected argument 'two' found", so that a run of passing tests fails. So do `--no-capture`, the name that libtest's help has for `--nocapture`
# now, and `--shuffle`. And a `--list` has the kind of a test in front of its name, `[kind] name`, so that whoever takes names from there has to know both
# forms.
#
# Version: libtest-mimic 0.8.2 and rustc 1.95.0 (59807616e 2026-04-14). Source: `Arguments` in libtest-mimic's src/args.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUST_TEST_THREADS || true
cd "$dir"
mkdir src tests
cat > Cargo.toml <<'TOML'
[package]
name = "mimic"
version = "0.0.0"
edition = "2024"
[lib]
doctest = false
[dev-dependencies]
libtest-mimic = "=0.8.2"
[[test]]
name = "mimicked"
harness = false
[workspace]
TOML
cat > src/lib.rs <<'RUST'
#[test]
fn one() {}
#[test]
fn two() {}
#[test]
fn three() {}
RUST
cat > tests/mimicked.rs <<'RUST'
use libtest_mimic::{Arguments, Trial};
fn main() {
    let tests = ["one", "two", "three"].map(|name| Trial::test(name, || Ok(())).with_kind("kind"));
    libtest_mimic::run(&Arguments::from_args(), tests.into()).exit();
}
RUST
run() {
    status=0
    cargo +1.95.0 test --quiet --no-fail-fast -- "$@" > text 2> err || status=$?
    echo "$*: $(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' text | tr '\n' ' ')passed, status $status"
    sed -n 's/^error: \(unexpected.*\)/    \1/p' err
}
{
    run one
    run one two
    run --exact one two
    run --no-capture
    run --nocapture
    echo 'lists:'
    cargo +1.95.0 test --quiet -- --list 2> err | grep 'one: test'
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other arguments are refused' >&2; exit 1; }
one: 1 1 passed, status 0
one two: 2 passed, status 101
    unexpected argument 'two' found
--exact one two: 2 passed, status 101
    unexpected argument 'two' found
--no-capture: 3 passed, status 101
    unexpected argument '--no-capture' found
--nocapture: 3 3 passed, status 0
lists:
one: test
[kind] one: test
SEEN
