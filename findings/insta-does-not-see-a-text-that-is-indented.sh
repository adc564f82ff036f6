#!/usr/bin/env bash
# One would expect an assertion about a text, such as the output of a printer, to fail when each line of the text is moved to the right; the manual speaks of
# white space at the beginning and end of a snapshot that is not looked at.
#
# Instead, an inline snapshot of several lines passes, without a word, for the same lines with any indentation that they share. insta takes the indentation
# off the expected text, which stands in indented source, and off the actual text, too. What is moved by itself (`two` below) is seen, as is a text of one
# line. A snapshot in a file sees all of it. So the same assertion is weaker for the same text when it is written inline.
#
# Version: insta 1.49.0 and rustc 1.95.0. Source: `matches_latest` and `normalize` of `TextSnapshotContents` in src/snapshot.rs, which treat both sides as
# inline.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir -p src tests/snapshots
: > src/lib.rs
cat > Cargo.toml <<'TOML'
[package]
name = "indented"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
insta = { version = "=1.49.0", default-features = false }
[workspace]
TOML
cat > tests/texts.rs <<'RUST'
const MOVED: &str = "        one\n        two\n";

#[test]
fn as_it_is() {
    insta::assert_snapshot!("one\ntwo\n", @"
    one
    two
    ");
}
#[test]
fn moved() {
    insta::assert_snapshot!(MOVED, @"
    one
    two
    ");
}
#[test]
fn one_line_moved() {
    insta::assert_snapshot!("one\n        two\n", @"
    one
    two
    ");
}
#[test]
fn moved_line() {
    insta::assert_snapshot!("        one", @"one");
}
#[test]
fn moved_from_file() {
    insta::assert_snapshot!("file", MOVED);
}
RUST
printf -- '---\nsource: tests/texts.rs\nexpression: MOVED\n---\none\ntwo\n' > tests/snapshots/texts__file.snap
INSTA_UPDATE=no INSTA_FORCE_PASS=0 RUST_BACKTRACE=0 cargo +1.95.0 test --quiet --test texts -- --color never --format pretty --test-threads 1 > said 2> err || true
sed -n 's/^test \([a-z_]*\) \.\.\. .*\(ok\|FAILED\)$/\1 \2/p' said > out
cat out
[ -s out ] || cat err
! grep -q -i 'legacy\|warning' err || { cat err; echo 'changed: it says something' >&2; exit 1; }
cmp -s out - <<'SEEN' || { cat err; echo 'changed: other tests fail' >&2; exit 1; }
as_it_is ok
moved ok
moved_from_file FAILED
moved_line FAILED
one_line_moved FAILED
SEEN
