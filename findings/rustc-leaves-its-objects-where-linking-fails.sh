#!/bin/sh
# One would expect rustc to remove its temporary files when it fails as it does when it succeeds: unless `-C save-temps` is given, an ordinary call leaves the
# program and nothing else.
#
# What happens: where the linker fails, all object files stay beside the place of the program: one for each codegen unit, and one for the allocator. Their
# names depend on the name of the crate and its metadata, so that a loop over variants with different flags fills the directory, a later call that succeeds
# removes only its own, and nobody removes the others. An error of types, or one that only code generation finds, leaves none. The program of an earlier call
# stays as well, in each of these cases, so that whoever looks for the file, and not at the status, runs the old one.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14), on Linux. Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo 'fn main() { println!("old") }' > program.rs
rustc +1.95.0 --edition 2024 program.rs
cat > types.rs <<'RUST'
fn main() { let _: u8 = "text"; }
RUST
cat > constant.rs <<'RUST'
fn check<T>() { const { assert!(size_of::<T>() == 1) } }
fn main() { check::<u16>() }
RUST
cat > link.rs <<'RUST'
mod one { pub fn one() -> usize { unsafe { super::missing(1) } } }
mod two { pub fn two() -> usize { unsafe { super::missing(2) } } }
unsafe extern "C" { fn missing(number: usize) -> usize; }
fn main() { println!("{}", one::one() + two::two()) }
RUST
try() {
    source=$1
    shift
    status=0
    rustc +1.95.0 --edition 2024 --crate-name program "$source.rs" "$@" 2> err || status=$?
    echo "$source $*: status $status, $(find . -name 'program*.o' | wc -l) objects, the program prints: $(./program)"
}
{
    try types
    try constant
    try link -C codegen-units=4
    try link -C codegen-units=4
    try link -C codegen-units=4 -C metadata=other
} > out
echo 'fn main() { println!("new") }' > good.rs
try good -C codegen-units=4 >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files are left' >&2; exit 1; }
types : status 1, 0 objects, the program prints: old
constant : status 1, 0 objects, the program prints: old
link -C codegen-units=4: status 1, 5 objects, the program prints: old
link -C codegen-units=4: status 1, 5 objects, the program prints: old
link -C codegen-units=4 -C metadata=other: status 1, 10 objects, the program prints: old
good -C codegen-units=4: status 0, 5 objects, the program prints: new
SEEN
