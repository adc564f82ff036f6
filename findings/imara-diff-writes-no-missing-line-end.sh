#!/bin/sh
# One would expect a unified diff, as a crate that is made for one prints it, to be a patch: `patch` makes the second text of the first one with it, as it
# does with what similar and diffy print.
#
# What happens: where the last line of one side has no line end, imara-diff writes the same as if it had one, without the line "\ No newline at end of file".
# `patch` refuses the result where the first text has no line end ("1 out of 1 hunk FAILED"). Where only the second one has none, the diff reads `-last`,
# `+last`, two equal lines, and `patch` applies it, says nothing, and changes nothing. The diff itself knows: the two are different tokens. Where that last
# line is only context, `patch` copes.
#
# Version: imara-diff 0.2.0, similar 3.2.1, diffy 0.5.2, rustc 1.95.0 and GNU patch. Source: `BasicLineDiffPrinter` in imara-diff's src/unified_diff.rs.
set -eu
command -v patch > /dev/null || { echo "this needs Debian's package patch" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "patches"
version = "0.0.0"
edition = "2024"
[dependencies]
imara-diff = "=0.2.0"
similar = "=3.2.1"
diffy = "=0.5.2"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use std::fs;
use std::process::Command;

fn imara(old: &str, new: &str) -> String {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let hunks = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input);
    format!("--- file\n+++ file\n{hunks}")
}

fn main() {
    for (old, new) in [("one\nlast\n", "two\nlast\n"), ("one\nlast", "two\nlast"), ("one\nlast\n", "one\nlast"), ("one\nlast", "one\nlast\n")] {
        println!("{old:?} to {new:?}");
        for (name, diff) in [
            ("imara-diff", imara(old, new)),
            ("similar", similar::TextDiff::from_lines(old, new).unified_diff().header("file", "file").to_string()),
            ("diffy", diffy::create_patch(old, new).to_string()),
        ] {
            fs::write("file", old).unwrap();
            fs::write("diff", &diff).unwrap();
            let patched = Command::new("patch").args(["--silent", "--input", "diff", "file"]).output().unwrap().status.success();
            let result = match (patched, fs::read_to_string("file").unwrap() == new) {
                (true, true) => "applies",
                (true, false) => "applies, and gives another text",
                (false, _) => "does not apply",
            };
            let marked = if diff.contains("\n\\ No newline") { ", marked" } else { "" };
            println!("    {name}: {result}{marked}");
        }
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other patches' >&2; exit 1; }
"one\nlast\n" to "two\nlast\n"
    imara-diff: applies
    similar: applies
    diffy: applies
"one\nlast" to "two\nlast"
    imara-diff: applies
    similar: applies, marked
    diffy: applies, marked
"one\nlast\n" to "one\nlast"
    imara-diff: applies, and gives another text
    similar: applies, marked
    diffy: applies, marked
"one\nlast" to "one\nlast\n"
    imara-diff: does not apply
    similar: applies, marked
    diffy: applies, marked
SEEN
