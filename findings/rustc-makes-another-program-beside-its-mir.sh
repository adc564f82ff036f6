#!/bin/sh
# One would expect one more kind of output to be one more file: `rustc --emit link,mir` writes the program that `rustc --emit link` writes, and its MIR beside
# it, so that the MIR, assembly or object of a program that misbehaves can be looked at.
#
# Instead, the program is another one. As soon as `mir`, `asm`, `obj`, `llvm-ir` or `llvm-bc` is asked for, rustc makes one unit of the whole crate, in place
# of up to 16 (256 if it is incremental), as `-C codegen-units=1` does; it says nothing. What LLVM inlines, and where things lie in memory, may change with
# that, and a bug that depends on it is gone in the call that was to show it. `metadata` and `dep-info` change nothing. With `-C codegen-units=16` in the call
# the programs are the same.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `is_compatible_with_codegen_units_and_single_output_file` in compiler/rustc_session/src/config.rs: it
# is about outputs with one given name (`-o`), and holds without one.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
for module in first second third; do
    cat <<RUST
mod $module {
    #[inline(never)]
    pub fn sorted(numbers: &[u64]) -> u64 {
        let mut numbers = numbers.to_vec();
        numbers.sort();
        numbers.iter().zip(1..).map(|(number, place)| number * place).sum()
    }
    #[inline(never)]
    pub fn words(text: &str) -> usize {
        text.split(' ').collect::<std::collections::HashSet<_>>().len()
    }
}
RUST
done > program.rs
cat >> program.rs <<'RUST'
fn main() {
    println!("{} {}", first::sorted(&[3, 1]), first::words("a b"));
    println!("{} {}", second::sorted(&[3, 1]), second::words("a b"));
    println!("{} {}", third::sorted(&[3, 1]), third::words("a b"));
}
RUST
program() {
    rm -rf out && mkdir out
    rustc +1.95.0 --edition 2024 -O --out-dir out "$@" program.rs
    cksum < out/program
}
link=$(program --emit link)
said=""
for kind in link metadata dep-info mir asm obj llvm-ir llvm-bc; do
    same=other
    [ "$(program --emit "link,$kind")" != "$link" ] || same=same
    echo "--emit link,$kind: $same"
    said="$said$same "
done
one=$(program --emit link -C codegen-units=1)
[ "$said" = 'same same same other other other other other ' ] || { echo 'changed: other programs' >&2; exit 1; }
[ "$(program --emit link,mir)" = "$one" ] || { echo 'changed: it is not the program of one unit' >&2; exit 1; }
[ "$(program --emit link,mir -C codegen-units=16)" = "$(program --emit link -C codegen-units=16)" ] || { echo 'changed: it differs with a given number of units' >&2; exit 1; }
