#!/usr/bin/env bash
# One would expect a size that is a whole number of bytes to be written to a file by serde as that number, or as a text that gives the number back: a limit or
# the size of a cached file that was saved is the one that is loaded.
#
# Instead, bytesize writes the text that it shows to people, with one digit behind the point, into JSON, TOML and all other formats for people to read. 1500
# bytes become "1.5 KiB", and are 1536 when they are read; 100 MB gain 34,150 bytes; the one byte above a mebibyte is lost. Of 100,000 sizes that are
# multiples of 1,000,003 only zero comes back. A format for machines gets the number: the same type is exact in postcard. A file that is read and saved twice
# does not change any more, so a test that compares two saved files sees nothing. A tool that compares a saved size with the size of a file takes the file for
# changed.
#
# Version: bytesize 2.7.0, serde 1.0.229, serde_json 1.0.154, postcard 1.1.3 and rustc 1.95.0. Source: `Serialize for ByteSize` in src/serde.rs of bytesize,
# which asks `is_human_readable`, and `Display for ByteSize` in src/lib.rs.
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
bytesize = { version = "=2.7.0", features = ["serde"] }
serde = "=1.0.229"
serde_json = "=1.0.154"
postcard = { version = "=1.1.3", default-features = false, features = ["alloc"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use bytesize::ByteSize;

fn saved(size: ByteSize) -> (String, ByteSize) {
    let text = serde_json::to_string(&size).unwrap();
    let read = serde_json::from_str(&text).unwrap();
    (text, read)
}

fn main() {
    for bytes in [999, 1024, 1500, 1_048_577, 100_000_000, 4_000_000_000] {
        let (text, read) = saved(ByteSize(bytes));
        println!("{bytes} is saved as {text} and read as {}", read.as_u64());
    }
    let (_, once) = saved(ByteSize(1500));
    println!("saved again: {}", saved(once).1.as_u64());
    let words = postcard::to_allocvec(&ByteSize(1500)).unwrap();
    println!("postcard: {}", postcard::from_bytes::<ByteSize>(&words).unwrap().as_u64());
    let kept = (0..100_000u64).filter(|number| saved(ByteSize(number * 1_000_003)).1.as_u64() == number * 1_000_003).count();
    println!("multiples of 1000003 that come back: {kept} of 100000");
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other sizes are saved' >&2; exit 1; }
999 is saved as "999 B" and read as 999
1024 is saved as "1.0 KiB" and read as 1024
1500 is saved as "1.5 KiB" and read as 1536
1048577 is saved as "1.0 MiB" and read as 1048576
100000000 is saved as "95.4 MiB" and read as 100034150
4000000000 is saved as "3.7 GiB" and read as 3972844748
saved again: 1536
postcard: 1500
multiples of 1000003 that come back: 1 of 100000
SEEN
