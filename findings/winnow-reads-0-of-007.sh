#!/usr/bin/env bash
# One would expect a parser of decimal numbers to read `007` as 7, as nom (of which winnow is a fork) and `str::parse` do, or to refuse it.
#
# Instead, `dec_uint` and `dec_int` of winnow read one 0 of it, succeed, and leave `07` to the next parser, since their grammar has no number with more digits
# behind a zero. So a time such as `09:05` fails at the 9, where the colon is asked for; a list of numbers without separators has three numbers for one; and
# the 5 is left over of a version 1.05. The sign belongs to the first digit that is not zero: `-0` is no integer, though `0` is, and `+0` neither. A number in
# hexadecimal digits that does not fit into its type is an error, whereas nom reads the digits that fit and leaves the rest. None of it shows before such an
# input comes.
#
# Version: winnow 1.0.5, nom 8.0.0 and rustc 1.95.0. Source: `dec_uint`, `dec_int` and `hex_uint` in src/ascii/mod.rs of winnow; `u32` in
# src/character/complete.rs and `hex_u32` in src/number/complete.rs of nom.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "numbers"
version = "0.0.0"
edition = "2024"
[dependencies]
winnow = "=1.0.5"
nom = "=8.0.0"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use winnow::ModalResult;
use winnow::ascii::{dec_int, dec_uint, hex_uint};
use winnow::combinator::{repeat, separated_pair};
use winnow::prelude::*;

fn shown<T: std::fmt::Display>(read: Result<(&str, T), ()>) -> String {
    match read {
        Ok((rest, number)) => format!("{number} and the rest {rest:?}"),
        Err(()) => "an error".into(),
    }
}

fn main() {
    for text in ["7", "007", "0", "+7"] {
        let mut rest = text;
        let read: ModalResult<u32> = dec_uint.parse_next(&mut rest);
        let nom: nom::IResult<&str, u32> = nom::character::complete::u32(text);
        println!("unsigned {text}: winnow {}; nom {}", shown(read.map(|it| (rest, it)).map_err(drop)), shown(nom.map_err(drop)));
    }
    for text in ["-7", "-007", "-0", "+0"] {
        let mut rest = text;
        let read: ModalResult<i32> = dec_int.parse_next(&mut rest);
        let nom: nom::IResult<&str, i32> = nom::character::complete::i32(text);
        println!("signed {text}: winnow {}; nom {}", shown(read.map(|it| (rest, it)).map_err(drop)), shown(nom.map_err(drop)));
    }
    let mut rest = "12345678f";
    let read: ModalResult<u32> = hex_uint.parse_next(&mut rest);
    let nom: nom::IResult<&[u8], u32> = nom::number::complete::hex_u32(b"12345678f".as_slice());
    let (left, number) = nom.unwrap();
    let left = str::from_utf8(left).unwrap();
    println!("hexadecimal 12345678f: winnow {}; nom {number:x} and the rest {left:?}", shown(read.map(|it| (rest, it)).map_err(drop)));
    for text in ["10:30", "09:30", "10:05"] {
        let time: Result<(u32, u32), _> = separated_pair(dec_uint::<_, u32, winnow::error::ContextError>, ':', dec_uint).parse(text);
        println!("the time {text}: {:?}", time.map_err(|error| format!("an error at {}", error.offset())));
    }
    let list: Result<Vec<u32>, _> = repeat(0.., dec_uint::<_, u32, winnow::error::ContextError>).parse("007");
    println!("007 as a list of numbers: {:?}", list.unwrap());
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other numbers are read' >&2; exit 1; }
unsigned 7: winnow 7 and the rest ""; nom 7 and the rest ""
unsigned 007: winnow 0 and the rest "07"; nom 7 and the rest ""
unsigned 0: winnow 0 and the rest ""; nom 0 and the rest ""
unsigned +7: winnow an error; nom an error
signed -7: winnow -7 and the rest ""; nom -7 and the rest ""
signed -007: winnow an error; nom -7 and the rest ""
signed -0: winnow an error; nom 0 and the rest ""
signed +0: winnow an error; nom 0 and the rest ""
hexadecimal 12345678f: winnow an error; nom 12345678 and the rest "f"
the time 10:30: Ok((10, 30))
the time 09:30: Err("an error at 1")
the time 10:05: Err("an error at 4")
007 as a list of numbers: [0, 0, 7]
SEEN
