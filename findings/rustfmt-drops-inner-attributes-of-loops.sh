#!/bin/sh
# One would expect a formatter to keep every attribute: `#![allow(..)]` at the top of a block stays where the block is a function's, a closure's, a match's or
# an `unsafe` one.
#
# What happens: in the body of a `loop`, a `while` and a `for` the inner attributes are gone after formatting, and so are those of a trait or an `extern` block
# that has no items. A crate that denies the lint compiles before and not after. The attribute of the `...` at the end of a list of parameters goes as well,
# which may be a `cfg`: a function that takes two arguments takes any number once it is formatted. The status is 0, nothing is said, and `--check` asks for it.
#
# Version: rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: found by running it; issue 5973 of rustfmt knows the loops.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > before.rs <<'RUST'
#![deny(unused_variables)]

pub fn count(numbers: &[u8]) {
    #![allow(unused_variables)]
    let function = 1;
}

pub fn repeat(numbers: &[u8]) {
    for number in numbers {
        #![allow(unused_variables)]
        let first = 1;
    }
    while numbers.is_empty() {
        #![allow(unused_variables)]
        let second = 2;
    }
    loop {
        #![allow(unused_variables)]
        let third = 3;
    }
}

pub trait Empty {
    #![doc(hidden)]
}

unsafe extern "C" {
    pub fn record(kind: i32, #[cfg(false)] ...);
}

pub fn call() {
    unsafe { record(1) }
}
RUST
check() {
    rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata "$1" 2>&1 | grep '^error: unused' || true
}
echo "before: $(check before.rs)"
cp before.rs after.rs
rustfmt +1.95.0 --edition 2024 after.rs
diff before.rs after.rs | sed -n 's/^[<>]/&/p' > out || true
cat out
echo "after: $(check after.rs)"
cmp -s out - <<'SEEN' || { echo 'changed: other lines are changed' >&2; exit 1; }
<         #![allow(unused_variables)]
<         #![allow(unused_variables)]
<         #![allow(unused_variables)]
< pub trait Empty {
<     #![doc(hidden)]
< }
> pub trait Empty {}
<     pub fn record(kind: i32, #[cfg(false)] ...);
>     pub fn record(kind: i32, ...);
SEEN
[ -z "$(check before.rs)" ] || { echo 'changed: the program does not compile before' >&2; exit 1; }
[ "$(check after.rs | wc -l)" = 4 ] || { echo 'changed: another number of errors after formatting' >&2; exit 1; }
