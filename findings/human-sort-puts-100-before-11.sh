#!/usr/bin/env bash
# One would expect a natural order of names, which is made for `file2` and `file10`, to compare numbers by their values, whatever digits they have, and to be
# an order at all: of three names one is the first.
#
# Instead, human-sort walks over characters that are equal, digits too, and compares the numbers that begin at the first difference. Of 100 and 11 these are
# `00`, which is 0, and `1`: so 100 comes before 11 up to 19, and 101 before 11 as well, as texts. 2000 is before 21. Where no digit is shared the whole
# numbers are compared: 9 is before 100. So three names can stand in a circle (`file010` is before `file0b`, that is before `file1`, and `file1` is before
# `file010`), and what a sort makes of them depends on the order in which they came. natord and alphanumeric-sort do neither; natord takes names that differ
# in blanks alone for equal, so that a map or a deduplication with its order drops one, and these two sort `a1` and `a01` in opposite ways.
#
# Version: human-sort 0.2.2, natord 1.0.9, alphanumeric-sort 1.5.8 and rustc 1.95.0. Source: `compare_chars_iters` and `take_numeric` in src/lib.rs of
# human-sort.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "names"
version = "0.0.0"
edition = "2024"
[dependencies]
human-sort = "=0.2.2"
natord = "=1.0.9"
alphanumeric-sort = "=1.5.8"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use alphanumeric_sort::compare_str;

fn sorted(names: &[&'static str]) -> Vec<&'static str> {
    let mut names = names.to_vec();
    human_sort::sort(&mut names);
    names
}

fn main() {
    println!("human-sort: {:?}", sorted(&["file9", "file11", "file19", "file100", "file101"]));
    let numbers = [("100", "11"), ("101", "11"), ("2000", "21"), ("9", "100")];
    let circle = [("file010", "file0b"), ("file0b", "file1"), ("file1", "file010")];
    for (first, second) in numbers.into_iter().chain(circle).chain([("a1", "a01"), ("a 1", "a1")]) {
        let natord = natord::compare(first, second);
        let (human, other) = (human_sort::compare(first, second), compare_str(first, second));
        println!("{first} is .. than {second}: human-sort {human:?}, natord {natord:?}, alphanumeric-sort {other:?}");
    }
    println!("one order of three: {:?}", sorted(&["file010", "file0b", "file1"]));
    println!("another: {:?}", sorted(&["file1", "file010", "file0b"]));
    let wrong = (0..1000u32).flat_map(|first| (first + 1..1000).map(move |second| (first, second)));
    let wrong = wrong.filter(|(first, second)| human_sort::compare(&first.to_string(), &second.to_string()).is_gt()).count();
    println!("pairs of numbers below 1000 in the wrong order: {wrong}");
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: the names come in another order' >&2; exit 1; }
human-sort: ["file9", "file100", "file101", "file11", "file19"]
100 is .. than 11: human-sort Less, natord Greater, alphanumeric-sort Greater
101 is .. than 11: human-sort Less, natord Greater, alphanumeric-sort Greater
2000 is .. than 21: human-sort Less, natord Greater, alphanumeric-sort Greater
9 is .. than 100: human-sort Less, natord Less, alphanumeric-sort Less
file010 is .. than file0b: human-sort Less, natord Greater, alphanumeric-sort Greater
file0b is .. than file1: human-sort Less, natord Less, alphanumeric-sort Less
file1 is .. than file010: human-sort Less, natord Greater, alphanumeric-sort Less
a1 is .. than a01: human-sort Greater, natord Greater, alphanumeric-sort Less
a 1 is .. than a1: human-sort Less, natord Equal, alphanumeric-sort Less
one order of three: ["file010", "file0b", "file1"]
another: ["file1", "file010", "file0b"]
pairs of numbers below 1000 in the wrong order: 486
SEEN
