#!/bin/sh
# One would expect a function that takes the escape sequences of a terminal out of a text to leave the rest alone, and three crates that do just that to give
# the same text, so that captured output can be compared with what a test expects.
#
# What happens: strip-ansi-escapes takes each control character but the line feed as well, tabs and carriage returns above all: indentation by tabs is gone,
# columns become one word, and two outputs that differ in a tab are equal. anstream keeps tabs and line ends, and takes a backspace. console keeps all of
# them, but does not know the colon of `38:5:1`, the standard's own way to write a colour, and leaves `:5:1m` in the text. Links of a terminal (OSC 8), which
# cargo prints, and ordinary colours are removed by all three.
#
# Version: strip-ansi-escapes 0.2.1, anstream 1.0.0, console 0.16.6 and rustc 1.95.0. Source: `Performer::execute` in strip-ansi-escapes's src/lib.rs acts on
# "\n" alone; and running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "stripped"
version = "0.0.0"
edition = "2024"
[dependencies]
strip-ansi-escapes = "=0.2.1"
anstream = "=1.0.0"
console = "=0.16.6"
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    for (name, text) in [
        ("colour", "\x1b[31mred\x1b[0m"),
        ("link", "\x1b]8;;http://localhost/\x1b\\here\x1b]8;;\x1b\\"),
        ("tab", "if x {\n\ty\n}"),
        ("line end", "one\r\ntwo"),
        ("form feed", "one\x0ctwo"),
        ("backspace", "one\x08two"),
        ("colon", "\x1b[38:5:1mred\x1b[0m"),
    ] {
        let strip = strip_ansi_escapes::strip_str(text);
        let stream = anstream::adapter::strip_str(text).to_string();
        let console = console::strip_ansi_codes(text);
        println!("{name}: {strip:?} {stream:?} {console:?}");
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other characters are left' >&2; exit 1; }
colour: "red" "red" "red"
link: "here" "here" "here"
tab: "if x {\ny\n}" "if x {\n\ty\n}" "if x {\n\ty\n}"
line end: "one\ntwo" "one\r\ntwo" "one\r\ntwo"
form feed: "onetwo" "one\u{c}two" "one\u{c}two"
backspace: "onetwo" "onetwo" "one\u{8}two"
colon: "red" "red" ":5:1mred"
SEEN
