#!/bin/sh
# One would expect two sets of numbers to be equal when each has all that the other has, as `HashSet` and bit-set's `BitSet` are, however much space was asked
# for when they were made.
#
# Instead, `==` of fixedbitset compares the capacity as well. Two empty sets of capacity 10 and 100 are unequal, though each is a subset of the other and
# neither has an element. `len` is no help: it is the capacity. A set that grew for an element is not equal to what it was before, when the element is removed
# again. So a table of sets that were seen, by which a search knows that it has come round, does not find the one that it has.
#
# Version: fixedbitset 0.5.9, bit-set 0.11.1 and rustc 1.95.0. Source: `impl PartialEq for FixedBitSet` in fixedbitset's src/lib.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "sets"
version = "0.0.0"
edition = "2024"
[dependencies]
bit-set = "=0.11.1"
fixedbitset = "=0.5.9"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::collections::HashSet;

use bit_set::BitSet;
use fixedbitset::FixedBitSet;

fn main() {
    let small = FixedBitSet::with_capacity(10);
    let large = FixedBitSet::with_capacity(100);
    println!("FixedBitSet: subsets {} {}", small.is_subset(&large), large.is_subset(&small));
    println!("FixedBitSet: elements {} {}, len {} {}", small.count_ones(..), large.count_ones(..), small.len(), large.len());
    println!("FixedBitSet: equal {}, in a table {}", small == large, HashSet::from([small.clone()]).contains(&large));
    let mut grown = small.clone();
    grown.grow_and_insert(50);
    grown.remove(50);
    println!("FixedBitSet: equal to what it was {}", small == grown);
    let small = BitSet::<u32>::with_capacity(10);
    let mut grown = BitSet::with_capacity(100);
    grown.insert(50);
    grown.remove(50);
    println!("BitSet: equal {}, in a table {}", small == grown, HashSet::from([small.clone()]).contains(&grown));
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: others are equal' >&2; exit 1; }
FixedBitSet: subsets true true
FixedBitSet: elements 0 0, len 10 100
FixedBitSet: equal false, in a table false
FixedBitSet: equal to what it was false
BitSet: equal true, in a table true
SEEN
