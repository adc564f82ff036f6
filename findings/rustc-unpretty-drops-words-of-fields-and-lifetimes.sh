#!/bin/sh
# One would expect the source that rustc prints of its own tree (`-Zunpretty=normal`, unstable, which people read to see what a macro became) to be the
# program that it has read, as long as rustc itself knows the syntax.
#
# What happens: some words are not printed. An attribute of a field in a pattern is gone; where that is a `cfg` which is false, as it may be in `normal`, the
# field is there once the text is compiled. The `r#` of a raw lifetime is gone, so that `'r#type` becomes `'type`, which is an error. The default value of a
# field is gone, and with it what `..` stands for, as are the `final` of a method and the `unsafe` of a field (the last three are unstable). rustc ends with
# status 0 and no message. rustfmt keeps all of them.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export RUSTC_BOOTSTRAP=1
cat > before.rs <<'RUST'
#![feature(default_field_values, final_associated_functions, unsafe_fields)]
#![allow(incomplete_features)]
pub struct Pair { pub left: u8, #[cfg(false)] pub right: u8 }
pub fn left(pair: Pair) -> u8 {
    let Pair { left, #[cfg(false)] right } = pair;
    left
}
pub fn same<'r#type>(text: &'r#type str) -> &'r#type str { text }
pub struct Point { pub x: u8, pub y: u8 = 3 }
pub fn point() -> Point { Point { x: 1, .. } }
pub trait Shape { final fn sides(&self) -> u8 { 4 } }
pub struct Length { pub unsafe bytes: usize }
pub fn length(bytes: usize) -> Length { unsafe { Length { bytes } } }
RUST
check() {
    rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata "$1" 2>&1 | grep -E '^(error|warning)' | sort | uniq -c | sed 's/^ */    /' || true
}
rustc +1.95.0 --edition 2024 --crate-type lib -Zunpretty=normal before.rs > after.rs
cp before.rs formatted.rs
rustfmt +1.95.0 --edition 2024 formatted.rs
for form in before formatted after; do
    echo "$form:"
    check "$form.rs"
    tr -s ' \n' '  ' < "$form.rs" | grep -oE "#.cfg.false.. right|'(r#)?type>|y: u8( = 3)?|(final )?fn sides|pub (unsafe )?bytes" | sed 's/^/    has /'
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other words are printed' >&2; exit 1; }
before:
    has #[cfg(false)] right
    has 'r#type>
    has y: u8 = 3
    has final fn sides
    has pub unsafe bytes
formatted:
    has #[cfg(false)] right
    has 'r#type>
    has y: u8 = 3
    has final fn sides
    has pub unsafe bytes
after:
    1 error: aborting due to 5 previous errors; 1 warning emitted
    3 error: lifetimes cannot use keyword names
    1 error: missing field `y` in initializer
    1 error[E0026]: struct `Pair` does not have a field named `right`
    1 warning: unnecessary `unsafe` block
    has 'type>
    has y: u8
    has fn sides
    has pub bytes
SEEN
