#!/usr/bin/env bash
# One would expect an expectation that the library has written itself (`UPDATE_EXPECT=1`) to hold in the next run of the same test: the run that writes it
# passes, and says so.
#
# Instead, it fails for ever for some texts of several lines. The expectation is written with the indentation of the source, and when it is read the blanks
# that all of its lines share are taken away, with those that belonged to the text: a text that is indented as a whole loses its indentation, one with a line
# of nothing but blanks loses these, and one with line ends of Windows has others. Updating again changes nothing but passes again. A text of one line, and
# one whose first column is not blank, are right.
#
# Version: expect-test 1.5.1 and rustc 1.95.0. Source: `trim_indent` and `format_patch` in src/lib.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR UPDATE_EXPECT || true
cd "$dir"
mkdir src tests
: > src/lib.rs
cat > Cargo.toml <<'TOML'
[package]
name = "expected"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
expect-test = "=1.5.1"
[workspace]
TOML
cat > tests/texts.rs <<'RUST'
use expect_test::expect;

#[test]
fn at_the_margin() {
    expect![[""]].assert_eq("one\n  two\n");
}
#[test]
fn indented() {
    expect![[""]].assert_eq("    one\n    two\n");
}
#[test]
fn line_of_blanks() {
    expect![[""]].assert_eq("one\n   \ntwo\n");
}
#[test]
fn windows() {
    expect![[""]].assert_eq("one\r\ntwo\r\n");
}
#[test]
fn one_line() {
    expect![[""]].assert_eq("    one");
}
RUST
tests() { RUST_BACKTRACE=0 cargo +1.95.0 test --quiet --test texts -- --color never --format pretty --test-threads 1 2> err | sed -n 's/^test \([a-z_]*\) \.\.\. /\1 /p'; }
UPDATE_EXPECT=1 tests > updated
tests > after
UPDATE_EXPECT=1 tests > updated-again
tests > after-again
sed 's/^/updated: /' updated
sed 's/^/afterwards: /' after
[ "$(grep -c ' ok$' updated)" = 5 ] || { cat err; echo 'changed: the run that updates fails' >&2; exit 1; }
cmp -s after - <<'SEEN' || { echo 'changed: other tests fail' >&2; exit 1; }
at_the_margin ok
indented FAILED
line_of_blanks FAILED
one_line ok
windows FAILED
SEEN
cmp -s updated updated-again || { echo 'changed: the second update is another' >&2; exit 1; }
cmp -s after after-again || { echo 'changed: it is right after a second update' >&2; exit 1; }
