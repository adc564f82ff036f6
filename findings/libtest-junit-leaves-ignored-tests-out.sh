#!/usr/bin/env bash
# One would expect of a JUnit report that each test that is counted has its `<testcase>`, an ignored one with `<skipped/>` in it, as all readers of that format know it;
# and that it is XML, whatever a test has printed.
#
# What happens: `--format junit` (unstable) counts an ignored test in `tests` and in `skipped`, and has no element for it, so that nobody can see which one it was; a
# reader that counts the elements finds fewer than the report says. And the text of a failed test is put in as it is but for `]]>`: one control character, such as
# the escape that begins a colour, makes the whole report unreadable, since XML 1.0 has no way to write it. Nothing is said.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14) and Python 3's parser of XML. Source: `write_result` and `str_to_cdata` in library/test/src/formatters/junit.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset RUST_BACKTRACE RUST_TEST_THREADS RUST_TEST_SHUFFLE || true
cat > tests.rs <<'RUST'
#[test]
fn passes() {}
#[test]
#[ignore = "takes an hour"]
fn rests() {}
#[test]
fn fails() {
    println!("]]> & <{}", if std::env::var_os("COLOUR").is_some() { "\u{1b}[31mred\u{1b}[0m" } else { "red" });
    panic!("as it should");
}
RUST
rustc +1.95.0 --edition 2024 --test tests.rs -o tests
# Prints what an XML parser finds in the report.
read_report() {
    RUSTC_BOOTSTRAP=1 ./tests --test-threads 1 -Zunstable-options --format junit > report.xml || true
    python3 - <<'PYTHON'
import xml.etree.ElementTree as tree
try:
    suite = tree.parse("report.xml").getroot().find("testsuite")
except tree.ParseError as error:
    print("no XML:", str(error).split(":")[0])
else:
    names = sorted(case.get("name") for case in suite.iter("testcase"))
    print("tests", suite.get("tests"), "skipped", suite.get("skipped"), "elements", *names, "skipped elements", len(list(suite.iter("skipped"))))
PYTHON
}
plain=$(read_report)
echo "plain: $plain"
coloured=$(COLOUR=1 read_report)
echo "with a colour: $coloured"
[ "$plain" = 'tests 3 skipped 1 elements fails passes skipped elements 0' ] || { echo 'changed: the ignored test is reported otherwise' >&2; exit 1; }
[ "$coloured" = 'no XML: not well-formed (invalid token)' ] || { echo 'changed: the report can be read' >&2; exit 1; }
