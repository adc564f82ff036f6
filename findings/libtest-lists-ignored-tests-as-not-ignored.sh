#!/bin/sh
# One would expect a list of tests in JSON to say of each test whether it is marked `#[ignore]`, as it has a field for it, whatever options choose the tests
# that are listed.
#
# Instead, the field says what would happen in a run with the same options. `--list` says `"ignore": true` of an ignored test; `--list --ignored`, which lists
# these alone, says `false` of each, and counts 0 of them in its last line, and `--list --include-ignored` says `false` of all. The reason, if one is given,
# stays. A list as text has no mark for ignored tests in either case. So a program that asks for the ignored ones, to know which they are, reads that there
# are none.
#
# Version: a nightly of May 2026 (the format is unstable). Source: `filter_tests` in library/test/src/lib.rs sets `ignore` to false before the list is made.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > tests.rs <<'RUST'
#[test]
fn plain() {}
#[test]
#[ignore = "slow"]
fn ignored() {}
RUST
rustc +nightly --edition 2024 --test tests.rs
for options in '' --ignored --include-ignored; do
    echo "--list $options"
    ./tests -Z unstable-options --format json --list $options | sed -n 's/.*"name": \("[a-z]*"\), \("ignore": .*\), "source.*/\1, \2/p; s/.*\("total".*\) }/\1/p'
done > out
echo "as text: $(./tests --list | grep test$ | paste -s -d ' ')" >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another list' >&2; exit 1; }
--list 
"ignored", "ignore": true, "ignore_message": "slow"
"plain", "ignore": false, "ignore_message": ""
"total": 2, "ignored": 1
--list --ignored
"ignored", "ignore": false, "ignore_message": "slow"
"total": 1, "ignored": 0
--list --include-ignored
"ignored", "ignore": false, "ignore_message": "slow"
"plain", "ignore": false, "ignore_message": ""
"total": 2, "ignored": 0
as text: ignored: test plain: test
SEEN
