#!/bin/sh
# One would expect of `std::any::type_name` that lifetimes are not in it, as it is one text for all of them, or that they are written wherever a type has one.
#
# What happens: a type with lifetime parameters is written with a `'_` for each, whatever the lifetime is, `'static` too (`core::slice::iter::Iter<'_, u8>`). A
# reference has none (`&str`), and neither has the bound of a trait object, but the arguments and the result of a `Fn` bound have it, references among them
# (`dyn Fn(&'_ str) -> Own<'_>`). So whoever looks for a `'` or a `&` in the text to learn whether a type borrows finds the one or the other, and a list of names
# that is compared with such a text has to know of both forms.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14), on Linux. Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > a.rs <<'END'
use std::any::type_name;
pub struct Own<'a>(pub &'a str);
fn of<T: ?Sized>(_: &T) -> &'static str {
    type_name::<T>()
}
fn main() {
    let text = String::from("a");
    println!("{}", of(&[1_u8].iter()));
    println!("{}", of(&Own(&text)));
    println!("{}", type_name::<Own<'static>>());
    println!("{}", of(&text.as_str()));
    println!("{}", type_name::<Box<dyn std::fmt::Debug + 'static>>());
    println!("{}", type_name::<dyn Fn(&str) -> Own<'_>>());
}
END
rustc +1.95.0 --edition 2024 a.rs
./a > seen
cat seen
cat > expected <<'END'
core::slice::iter::Iter<'_, u8>
a::Own<'_>
a::Own<'_>
&str
alloc::boxed::Box<dyn core::fmt::Debug>
dyn core::ops::function::Fn(&'_ str) -> a::Own<'_>
END
diff expected seen || { echo 'changed: type_name writes other lifetimes' >&2; exit 1; }
