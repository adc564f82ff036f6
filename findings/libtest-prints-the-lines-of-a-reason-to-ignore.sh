#!/usr/bin/env bash
# One would expect one line for each test in what a test program prints, so that `test NAME ... RESULT` can be read line by line: a name cannot have a line
# end, the result is a word, and what tests print is captured.
#
# What happens: the reason in `#[ignore = ".."]` is printed as it is, also where it has several lines, as a text that was written over two lines
# in the source has. The rest of it begins lines of its own, which may look like any line of libtest: here one that says of another test that it
# has failed, while the status is 0. `--format json` (unstable) has it as one escaped text.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `write_ignored` in library/test/src/formatters/pretty.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset RUST_TEST_THREADS RUST_TEST_SHUFFLE || true
cat > tests.rs <<'RUST'
#[test]
#[ignore = "needs a printer; without it one sees
test paper ... FAILED"]
fn ink() {}

#[test]
fn paper() {}
RUST
rustc +1.95.0 --edition 2024 --test tests.rs -o tests
./tests --test-threads 1 --color never > out
cat out
said=$(grep -c -x -e 'test paper \.\.\. FAILED' -e 'test paper \.\.\. ok' out)
[ "$said" = 2 ] || { echo "changed: $said lines speak of the test instead of 2" >&2; exit 1; }
RUSTC_BOOTSTRAP=1 ./tests --test-threads 1 -Zunstable-options --format json > json
grep -F '"ignored"' json
grep -q -F 'one sees\ntest paper ... FAILED"' json || { echo 'changed: JSON has the reason in another form' >&2; exit 1; }
