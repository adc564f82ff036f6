#!/bin/sh
# One would expect `rustc --out-dir DIR` either to make a directory that is not there, parents included, or to ask for one, whatever is written into it.
#
# Instead, it makes one for a library, metadata, MIR, assembly, an object and LLVM's form, and for none of these as soon as `dep-info` is asked for as well:
# the dependencies are written first, without looking for the directory. cargo asks for `dep-info` in each of its calls, so that a call which is copied from
# `cargo build -v` and run elsewhere fails with "error writing dependencies", and works once an output is taken out of it. A path that is given for one output
# (`-o`, `--emit metadata=PATH`) never makes a directory.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `write_out_deps` in compiler/rustc_interface/src/passes.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo 'pub fn one() {}' > input.rs
for kinds in link metadata mir asm obj llvm-ir dep-info link,dep-info metadata,dep-info; do
    said=made
    rustc +1.95.0 --edition 2024 --crate-type lib --emit "$kinds" --out-dir "$kinds/out" input.rs 2> err || said=$(sed -n '1s/^error: \([a-z ]*\) .*/\1/p' err)
    echo "$kinds: $said"
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other outputs make a directory' >&2; exit 1; }
link: made
metadata: made
mir: made
asm: made
obj: made
llvm-ir: made
dep-info: error writing dependencies to
link,dep-info: error writing dependencies to
metadata,dep-info: error writing dependencies to
SEEN
! rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata=path/input.rmeta input.rs 2> err || { echo 'changed: a path makes a directory' >&2; exit 1; }
grep '^error' err | cut -d '"' -f 1
