#!/bin/sh
# One would expect a backtrace to name the same functions for the same source, whatever encoding the names have in the object file, as rustc-demangle is there
# to turn them back; and a stack that was seen with one toolchain to be found with another.
#
# Instead, the encoding decides what a name says. With the one of 1.95.0 a generic function is `frames::run`, one name for all of its instances, a method is
# `frames::Holder<T>::show`, and a closure `{{closure}}`. With `-C symbol-mangling-version=v0`, which a nightly has by default, they are `frames::run::<..>`
# with the types in it, `<frames::Holder<u8>>::show` and `{closure#0}`. Generic functions of the standard library change with them. Whoever knows a failure by
# its stack finds another one after a change of toolchain, or of that option.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14) and a nightly of May 2026. Source: rustc's book at "symbol-mangling-version", and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset RUSTFLAGS || true
cd "$dir"
cat > frames.rs <<'RUST'
struct Holder<T>(T);
trait Show {
    fn trait_show(&self);
}
impl<T> Holder<T> {
    #[inline(never)]
    fn show(&self) {
        std::panic::panic_any("seen")
    }
}
impl<T> Show for Holder<T> {
    #[inline(never)]
    fn trait_show(&self) {
        self.show()
    }
}
#[inline(never)]
fn run<T: Show>(value: T) {
    (|| value.trait_show())()
}
fn main() {
    run(Holder(5u8));
}
RUST
for options in '+1.95.0' '+1.95.0 -C symbol-mangling-version=v0' '+nightly'; do
    rustc $options --edition 2024 -g frames.rs
    echo "rustc $options"
    ! RUST_BACKTRACE=1 ./frames 2> err || { echo 'changed: it does not panic' >&2; exit 1; }
    sed -n 's/^ *[0-9]*: //p' err | grep 'frames\|panic_any'
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other names' >&2; exit 1; }
rustc +1.95.0
std::panic::panic_any
frames::Holder<T>::show
<frames::Holder<T> as frames::Show>::trait_show
frames::run::{{closure}}
frames::run
frames::main
rustc +1.95.0 -C symbol-mangling-version=v0
std::panic::panic_any::<&str>
<frames::Holder<u8>>::show
<frames::Holder<u8> as frames::Show>::trait_show
frames::run::<frames::Holder<u8>>::{closure#0}
frames::run::<frames::Holder<u8>>
frames::main
rustc +nightly
std::panic::panic_any::<&str>
<frames::Holder<u8>>::show
<frames::Holder<u8> as frames::Show>::trait_show
frames::run::<frames::Holder<u8>>::{closure#0}
frames::run::<frames::Holder<u8>>
frames::main
SEEN
