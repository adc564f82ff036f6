#!/bin/sh
# One would expect a compiler that refuses a program to print why, and to write no file, since it has nothing to write; or to write the rest of a long message
# to a temporary directory.
#
# Instead, where a type in an error is long, rustc abbreviates it and writes the whole one to `CRATE.long-type-NUMBER.txt` beside the output that there would
# have been, in the current directory if neither `--out-dir` nor `-o` is given. The number is another one each time: the same call has another message, and
# leaves one more file that nobody removes, so that a loop over variants of a program fills the directory, and two equal errors are not equal texts.
# `--verbose`, or `-Zwrite-long-types-to-disk=no` (unstable), leaves the file out.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `short_string` in compiler/rustc_middle/src/ty/error.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > long.rs <<'RUST'
fn copied<T: Copy>(_: T) {}
pub fn call(a: (String, u8, f64)) {
    let b = (a.clone(), a.clone(), a.clone(), a.clone());
    let c = (b.clone(), b.clone(), b.clone(), b.clone());
    copied((c.clone(), c.clone(), Some(c)));
}
RUST
sed 's/copied((.*));/copied(a);/' long.rs > short.rs
refused() { ! rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata "$@" 2> err || { echo 'it compiles' >&2; exit 1; }; }
files() { ls "$1" | sed 's/[0-9][0-9]*/N/' | tr '\n' ' '; }
message() { grep -o "has been written to '.*'" err; }
mkdir short-out long-out twice here
refused --out-dir short-out short.rs
refused --out-dir short-out --verbose long.rs
refused --out-dir long-out long.rs
refused --out-dir twice long.rs
first=$(message)
refused --out-dir twice long.rs
second=$(message)
(cd here && refused ../long.rs)
echo "$first, $second"
for name in short-out long-out twice here; do
    echo "$name: $(files "$name")"
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files' >&2; exit 1; }
short-out: 
long-out: long.long-type-N.txt 
twice: long.long-type-N.txt long.long-type-N.txt 
here: err long.long-type-N.txt 
SEEN
[ "$first" != "$second" ] || { echo 'changed: the same message twice' >&2; exit 1; }
