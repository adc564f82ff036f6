#!/bin/sh
# One would expect a parser of sizes to read `84mb` as 84 megabytes, as users write it for a limit of memory, or to refuse the spelling.
#
# Instead, `Byte::parse_str(text, false)` of byte-unit takes a small `b` for bits: `84mb` is 10500000 bytes, an eighth of what bytesize, parse-size and ubyte
# read, and `84MB` is 84000000 bytes. `84m`, without the letter, is megabytes as well. The second argument is called `ignore_case`, and `true` gives what is
# meant; the type is `Byte`, and `84mb` is no error, so that a limit is just too low. `1kbit` is read, as 125 bytes.
#
# Version: byte-unit 5.2.6, bytesize 2.7.0, parse-size 1.1.0, ubyte 0.10.4 and rustc 1.95.0. Source: `parse_str` in byte-unit's src/byte/parse.rs, and running
# them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "sizes"
version = "0.0.0"
edition = "2024"
[dependencies]
byte-unit = "=5.2.6"
bytesize = "=2.7.0"
parse-size = "=1.1.0"
ubyte = "=0.10.4"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    for text in ["84MB", "84mb", "84Mb", "84m", "84MiB", "84mib", "1kbit"] {
        let read = [
            ("byte-unit", byte_unit::Byte::parse_str(text, false).ok().map(|size| size.as_u64())),
            ("ignoring case", byte_unit::Byte::parse_str(text, true).ok().map(|size| size.as_u64())),
            ("bytesize", text.parse::<bytesize::ByteSize>().ok().map(|size| size.0)),
            ("parse-size", parse_size::parse_size(text).ok()),
            ("ubyte", text.parse::<ubyte::ByteUnit>().ok().map(|size| size.as_u64())),
        ];
        let read = read.map(|(name, size)| format!("{name} {}", size.map_or("-".to_string(), |size| size.to_string())));
        println!("{text}: {}", read.join(", "));
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other sizes' >&2; exit 1; }
84MB: byte-unit 84000000, ignoring case 84000000, bytesize 84000000, parse-size 84000000, ubyte 84000000
84mb: byte-unit 10500000, ignoring case 84000000, bytesize 84000000, parse-size 84000000, ubyte 84000000
84Mb: byte-unit 10500000, ignoring case 84000000, bytesize 84000000, parse-size 84000000, ubyte 84000000
84m: byte-unit 84000000, ignoring case 84000000, bytesize 84000000, parse-size 84000000, ubyte -
84MiB: byte-unit 88080384, ignoring case 88080384, bytesize 88080384, parse-size 88080384, ubyte 88080384
84mib: byte-unit 11010048, ignoring case 88080384, bytesize 88080384, parse-size 88080384, ubyte 88080384
1kbit: byte-unit 125, ignoring case 125, bytesize -, parse-size -, ubyte -
SEEN
