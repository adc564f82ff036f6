#!/bin/sh
# One would expect the place of a panic in a `#[track_caller]` function to be the line of the user's code that had it called, or always the function itself
# where the caller is not known, whichever way the function is passed on as a value.
#
# Instead, the kind of value decides. Passed to generic code (`map(index)`, `map(Option::unwrap)`), it is called by the standard library, and the place is a
# line of `core/src/ops/function.rs`, the same one for all such functions, below a directory that has the compiler's commit in its name. As a function
# pointer, and by a trait object, it is the line of the function's `fn`, and not of its `assert!`. A closure around it gives the line of the closure. Whoever
# tells failures apart by their place takes two bugs for one in the first case, and one bug for two where `map(index)` became `map(|x| index(x))`.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: the shims `ReifyShim` and `FnOnce::call_once` (compiler/rustc_middle/src/ty/instance.rs and
# library/core/src/ops/function.rs), and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > places.rs <<'RUST'
#[track_caller]
fn index(number: u8) -> u8 {
    assert!(number < 3);
    number
}
trait Table {
    fn entry(&self, number: u8) -> u8;
}
impl Table for () {
    #[track_caller]
    fn entry(&self, number: u8) -> u8 {
        assert!(number < 3);
        number
    }
}
fn main() {
    let ways: [(&str, fn()); 6] = [
        ("called", || drop(index(5))),
        ("mapped", || drop([5].map(index))),
        ("mapped method", || drop([None::<u8>].map(Option::unwrap))),
        ("mapped closure", || drop([5].map(|number| index(number)))),
        ("function pointer", || {
            let pointer: fn(u8) -> u8 = index;
            drop(pointer(5))
        }),
        ("trait object", || {
            let table: &dyn Table = &();
            drop(table.entry(5))
        }),
    ];
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().unwrap();
        let file = place.file();
        let file = file.find("library/core").map_or(file, |at| &file[at..]);
        println!("{file} {}", if file == "places.rs" { place.line() } else { 0 });
    }));
    for (name, way) in ways {
        print!("{name}: ");
        assert!(std::panic::catch_unwind(way).is_err());
    }
}
RUST
rustc +1.95.0 --edition 2024 -A warnings places.rs
./places > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other places' >&2; exit 1; }
called: places.rs 18
mapped: library/core/src/ops/function.rs 0
mapped method: library/core/src/ops/function.rs 0
mapped closure: places.rs 21
function pointer: places.rs 2
trait object: places.rs 11
SEEN
