#!/bin/sh
# One would expect each message that `cargo build --message-format json` prints to be read by serde_json, which cargo itself uses, into a `Value`. rustc ends
# the expansion of macros at a depth of 128, so that a message of a program that it takes has an end.
#
# Instead, serde_json refuses a message about code that came from 70 macros, each of which calls the next: "recursion limit exceeded". A span has its macro
# call in it, whose span has its own, at two levels of JSON each, and serde_json stops at 128. At 50 macros it reads all. cargo_metadata reads both, as it
# turns the limit off for itself. A line that is no JSON and one that is too deep give the same kind of error, so that a program which skips the lines that it
# cannot read, as output of build scripts, loses the error. Calls of one macro by itself are no danger: rustc names a few of them only.
#
# Version: cargo and rustc 1.95.0, serde_json 1.0.154 and cargo_metadata 0.23.1. Source: `remaining_depth` in serde_json's src/de.rs; `DiagnosticSpan`'s
# `expansion` in compiler/rustc_errors/src/json.rs; and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS || true
cd "$dir"
mkdir -p read/src made/src
cat > read/Cargo.toml <<'TOML'
[package]
name = "read"
version = "0.0.0"
edition = "2024"
[dependencies]
cargo_metadata = "=0.23.1"
serde_json = "=1.0.154"
[profile.dev]
debug = 0
[workspace]
TOML
cat > read/src/main.rs <<'RUST'
use cargo_metadata::Message;
use serde_json::Value;

fn main() {
    for line in std::io::stdin().lines().map(Result::unwrap) {
        let value = match serde_json::from_str::<Value>(&line) {
            Ok(_) => "read".to_string(),
            Err(error) => format!("{:?} error, {}", error.classify(), error.to_string().split(" at").next().unwrap()),
        };
        let message = match Message::parse_stream(line.as_bytes()).next().unwrap().unwrap() {
            Message::CompilerMessage(message) => format!("{:?}", message.message.message.split(';').next().unwrap()),
            Message::BuildFinished(_) => "end of the build".to_string(),
            _ => "another".to_string(),
        };
        println!("{message}: {value}");
    }
}
RUST
printf '[package]\nname = "made"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > made/Cargo.toml
# Writes a crate with so many macros, of which each calls the next, and an error in the last one; `itself` for one macro that calls itself so many times.
write() {
    if [ "$1" = itself ]; then
        echo 'macro_rules! count { () => { let number: u8 = ""; }; ($one:tt $($more:tt)*) => { count!($($more)*) }; }'
        echo "pub fn made() { count!($(seq -s ' ' "$2")); }"
    else
        echo 'macro_rules! m0 { () => { let number: u8 = ""; } }'
        for number in $(seq "$1"); do echo "macro_rules! m$number { () => { m$((number - 1))!() } }"; done
        echo "pub fn made() { m$1!(); }"
    fi
}
for kind in 50 70 'itself 70'; do
    write $kind > made/src/lib.rs
    echo "macros: $kind"
    ! cargo +1.95.0 check --quiet --manifest-path made/Cargo.toml --message-format json > messages 2> err || { echo 'changed: there is no error' >&2; exit 1; }
    cargo +1.95.0 run --quiet --manifest-path read/Cargo.toml < messages
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other messages are read' >&2; exit 1; }
macros: 50
"mismatched types": read
"For more information about this error, try `rustc --explain E0308`.": read
end of the build: read
macros: 70
"mismatched types": Syntax error, recursion limit exceeded
"For more information about this error, try `rustc --explain E0308`.": read
end of the build: read
macros: itself 70
"mismatched types": read
"For more information about this error, try `rustc --explain E0308`.": read
end of the build: read
SEEN
