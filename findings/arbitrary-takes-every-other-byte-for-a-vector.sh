#!/usr/bin/env bash
# One would expect the bytes of a fuzzer's input that become a `Vec<u8>` to be these bytes, with a length somewhere, as they are for `&[u8]`; and the first
# byte of the input to choose among the variants of an enum that come first in it.
#
# Instead, a vector is read as a list of "one more" and element: each odd byte is followed by an element, and the first even one ends it. Half of the input is
# left, and no word of a dictionary, or of a seed file, is ever in it as a whole. A slice takes its length from the end of the input. The variant is chosen by
# four bytes, the last of which decides alone for a few variants: the first three may be anything, and an input that is cut to three bytes is always the first
# variant. A reducer of inputs has to know this to tell which byte means what.
#
# Version: arbitrary and derive_arbitrary 1.5.0, and rustc 1.95.0. Source: `arbitrary_iter` and `arbitrary_len` in src/unstructured.rs, and
# `gen_arbitrary_method` in derive/src/lib.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "bytes"
version = "0.0.0"
edition = "2024"
[dependencies]
arbitrary = { version = "=1.5.0", features = ["derive"] }
derive_arbitrary = "=1.5.0"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use arbitrary::{Arbitrary, Unstructured};

#[derive(Arbitrary, Debug)]
enum Step {
    Open,
    Write,
    Close,
}

fn vector(bytes: &[u8]) -> String {
    String::from_utf8(Arbitrary::arbitrary(&mut Unstructured::new(bytes)).unwrap()).unwrap()
}

fn slice(bytes: &[u8]) -> String {
    let slice: &[u8] = Arbitrary::arbitrary(&mut Unstructured::new(bytes)).unwrap();
    String::from_utf8_lossy(slice).into()
}

fn step(bytes: &[u8]) -> Step {
    Arbitrary::arbitrary(&mut Unstructured::new(bytes)).unwrap()
}

fn main() {
    println!("vector of `keyword`: {}", vector(b"keyword"));
    println!("vector of `akaeayawaoarad`: {}", vector(b"akaeayawaoarad"));
    println!("slice of `keyword` and 5: {}", slice(b"keyword\x05"));
    for bytes in [[0, 0, 0, 0], [255, 255, 255, 0], [0, 0, 0, 100], [7, 8, 9, 100], [0, 0, 0, 200]] {
        println!("step of {bytes:?}: {:?}", step(&bytes));
    }
    println!("step of [200]: {:?}", step(&[200]));
    println!("step of [200, 200, 200]: {:?}", step(&[200, 200, 200]));
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: the bytes are read in another way' >&2; exit 1; }
vector of `keyword`: ewr
vector of `akaeayawaoarad`: keyword
slice of `keyword` and 5: keywo
step of [0, 0, 0, 0]: Open
step of [255, 255, 255, 0]: Open
step of [0, 0, 0, 100]: Write
step of [7, 8, 9, 100]: Write
step of [0, 0, 0, 200]: Close
step of [200]: Open
step of [200, 200, 200]: Open
SEEN
