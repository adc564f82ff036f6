#!/bin/sh
# rustc: overflow checks of a library do not hold in its inline functions.
#
# One would expect that a library which is compiled with `-C overflow-checks=on` panics at an overflow in its own code, whoever calls it: the
# profile of cargo has `overflow-checks` for one package (`[profile.release.package.NAME]`) just for that.
#
# What happens: code for an inline or generic function is made in the crate that calls it, and there the flag of the *calling* crate decides. The same
# function panics if another function of the library calls it, and wraps if the program does. The checks are in the library's MIR; the
# compiler of the caller leaves them out. The reverse does not hold: a library without checks has none in its MIR, so that a caller with
# the flag gets none either.
#
# Version: rustc 1.95.0. Source: `codegen_assert_terminator` in compiler/rustc_codegen_ssa/src/mir/block.rs ("if !bx.cx().check_overflow()
# && msg.is_optional_overflow_check()"); the book of cargo says nothing of it at `overflow-checks`.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > sums.rs <<'RUST'
#[inline(always)]
pub fn tenfold(n: u8) -> u8 {
    n * 10
}

#[inline(never)]
pub fn tenfold_here(n: u8) -> u8 {
    tenfold(n)
}
RUST

cat > main.rs <<'RUST'
fn main() {
    let n: u8 = std::env::args().count() as u8 + 29;
    println!("called by the program: {}", sums::tenfold(n));
    println!("called by the library: {}", sums::tenfold_here(n));
}
RUST

run() {
    rustc +1.95.0 --edition 2021 -O -C overflow-checks="$1" --crate-type lib sums.rs
    rustc +1.95.0 --edition 2021 -O -C overflow-checks="$2" --extern sums=libsums.rlib main.rs
    ./main 2>err || true
}

with_library=$(run on off)
in_library=$(grep -c 'attempt to multiply with overflow' err || true)
echo "library with checks, program without:"
echo "$with_library"
cat err

with_program=$(run off on)
echo "library without checks, program with:"
echo "$with_program"

expected='called by the program: 44'
if [ "$with_library" != "$expected" ] || [ "$in_library" != 1 ]; then
    echo "changed: the inline function no longer wraps in a program without checks" >&2
    exit 1
fi
case $with_program in
"$expected"*) ;;
*)
    echo "changed: the program's flag now checks the library's inline function" >&2
    exit 1
    ;;
esac
echo "as described"
