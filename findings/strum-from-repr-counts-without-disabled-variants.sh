#!/usr/bin/env bash
# One would expect `from_repr`, which strum derives for an enum, to undo `as usize`: the number of a variant gives that variant, and a variant that is marked
# as disabled gives `None`, or itself.
#
# Instead, a disabled variant is left out before the numbers are given: each one behind it has a number less for `from_repr` than for the compiler, up to the
# next variant with a number of its own. Of `Read, Old, Write, Close` with `Old` disabled, 1 is `Write`, though `Write as usize` is 2, and 2 is `Close`. A
# number that was saved by `as` is read as another variant, without an error but for the last. `EnumCount` leaves the disabled one out too, but `VariantNames`
# and `VariantArray` of the same crate have it, so an array of `COUNT` places that is indexed by `as usize` is too short. num_enum and derive_more read the
# numbers as the compiler gives them. The mark is there to keep a variant out of texts that are parsed and out of the iterator, so nobody looks for it here.
#
# Version: strum and strum_macros 0.28.0, num_enum 0.7.6, derive_more 2.1.1 and rustc 1.95.0. Source: `from_repr_inner` in src/macros/from_repr.rs of
# strum_macros, whose loop goes on at a disabled variant before it notes the constant which the next one adds 1 to; `enum_count_inner` in
# src/macros/enum_count.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "variants"
version = "0.0.0"
edition = "2024"
[dependencies]
strum = { version = "=0.28.0", features = ["derive"] }
strum_macros = "=0.28.0"
num_enum = "=0.7.6"
derive_more = { version = "=2.1.1", features = ["try_from"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use num_enum::TryFromPrimitive;
use strum::{EnumCount, IntoEnumIterator, VariantArray, VariantNames};

#[derive(Clone, Copy, Debug, strum::FromRepr, strum::EnumCount, strum::EnumIter, strum::VariantArray, strum::VariantNames, TryFromPrimitive)]
#[repr(u8)]
enum Step {
    Read,
    #[strum(disabled)]
    Old,
    Write,
    Close,
    Sync = 9,
    Last,
}

#[derive(Debug, derive_more::TryFrom)]
#[try_from(repr)]
#[repr(u8)]
#[allow(dead_code)]
enum Plain {
    Read,
    Old,
    Write,
    Close,
}

fn main() {
    for step in <Step as VariantArray>::VARIANTS {
        let number = *step as u8;
        let num_enum = Step::try_from_primitive(number).unwrap();
        println!("{step:?} is {number}; from_repr({number}) is {:?}, num_enum has {num_enum:?}", Step::from_repr(number));
    }
    println!("derive_more has {:?} for 2", Plain::try_from(2).unwrap());
    let (names, variants) = (<Step as VariantNames>::VARIANTS, <Step as VariantArray>::VARIANTS);
    println!("COUNT {}, steps of iter {}, names {}, variants {}", Step::COUNT, Step::iter().count(), names.len(), variants.len());
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other variants have the numbers' >&2; exit 1; }
Read is 0; from_repr(0) is Some(Read), num_enum has Read
Old is 1; from_repr(1) is Some(Write), num_enum has Old
Write is 2; from_repr(2) is Some(Close), num_enum has Write
Close is 3; from_repr(3) is None, num_enum has Close
Sync is 9; from_repr(9) is Some(Sync), num_enum has Sync
Last is 10; from_repr(10) is Some(Last), num_enum has Last
derive_more has Write for 2
COUNT 5, steps of iter 5, names 6, variants 6
SEEN
