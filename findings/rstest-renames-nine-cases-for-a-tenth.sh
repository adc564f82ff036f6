#!/usr/bin/env bash
# One would expect the name of a test to depend on the test: what is added behind the last case of a table leaves the names of the others as they are, so that
# a list of known failures, a filter with `--exact`, or a snapshot that is called after its test keeps its meaning.
#
# What happens: rstest pads the number of a case to the width of the greatest one. With nine cases the first is `case_1`; a tenth makes it `case_01`, and
# `sums::case_2` is then no test at all: the filter runs nothing, and the status is 0. A description (`#[case::zero(..)]`) does not help, as it stands
# behind the number: `case_1_zero` becomes `case_01_zero`.
#
# Version: rstest 0.29.0 and rustc 1.95.0. Source: `format_case_name` in rstest_macros's src/render.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src tests
: > src/lib.rs
cat > Cargo.toml <<'TOML'
[package]
name = "cases"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
rstest = { version = "=0.29.0", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
# Writes the file of tests with so many cases.
write() {
    echo 'use rstest::rstest;'
    echo '#[rstest]'
    echo '#[case::zero(0)]'
    for number in $(seq 2 "$1"); do echo "#[case($number)]"; done
    echo 'fn sums(#[case] number: u8) { assert!(number < 100); }'
}
for count in 9 10; do
    write "$count" > tests/sums.rs
    cargo +1.95.0 test --quiet --test sums -- --list > "$count.list"
    cargo +1.95.0 test --quiet --test sums -- --exact sums::case_2 > "$count.run"
    echo "$count cases: $(head -n 2 "$count.list" | tr '\n' ' ')"
    grep '^test result' "$count.run"
done
[ "$(head -n 2 9.list | tr '\n' ' ')" = 'sums::case_1_zero: test sums::case_2: test ' ] || { echo 'changed: nine cases have other names' >&2; exit 1; }
[ "$(head -n 2 10.list | tr '\n' ' ')" = 'sums::case_01_zero: test sums::case_02: test ' ] || { echo 'changed: ten cases have other names' >&2; exit 1; }
grep -q '^test result: ok. 1 passed' 9.run && grep -q '^test result: ok. 0 passed' 10.run || { echo 'changed: the filter runs others' >&2; exit 1; }
