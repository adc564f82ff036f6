#!/bin/sh
# One would expect that a doc test in a README, included by `#[doc = include_str!("../README.md")]`, has one name: the file and the
# line where its fence stands. rustdoc 1.95.0 names it after the README in edition 2024, and after the file that has the attribute in
# edition 2021, with a line that is counted from the first comment on, through the README, as if attributes between the
# comments were not there. That line may lie behind the end of the file. Documentation that is a README after a `//!` line is named
# in this second way in edition 2024, too.
# Version: Rust 1.95.0 (`rustdoc --test`). Source: own experiment, after a doc test could not be found by its name.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/src"
printf '# A\n\n```\nassert!(true);\n```\n' > "$dir/README.md"
cat > "$dir/src/lib.rs" <<'RS'
//! A title.
//!
#![allow(unused)]
#![doc = include_str!("../README.md")]

#[doc = include_str!("../README.md")]
pub fn f() {}
RS
cd "$dir"
names() {
    rustc +1.95.0 --edition "$1" --crate-type lib --crate-name a src/lib.rs --out-dir "$dir"
    rustdoc +1.95.0 --edition "$1" --test --crate-name a --extern a=liba.rlib src/lib.rs |
        sed -n 's/^test \(.*\) \.\.\. ok$/\1/p' | sort
}
old=$(names 2021)
new=$(names 2024)
printf 'edition 2021:\n%s\nedition 2024:\n%s\n' "$old" "$new"
echo "src/lib.rs has $(wc -l < src/lib.rs) lines, its attributes stand in lines 4 and 6, the fence in line 3 of README.md"
test "$old" = "src/lib.rs - (line 5)
src/lib.rs - f (line 8)" || { echo "the names of edition 2021 have changed"; exit 1; }
test "$new" = "src/../README.md - f (line 3)
src/lib.rs - (line 5)" || { echo "the names of edition 2024 have changed"; exit 1; }
