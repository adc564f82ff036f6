#!/bin/sh
# One would expect a crate that prints coloured differences of two values to write plain text where the output is a file, or where `NO_COLOR` is set, and to
# keep the words of the standard macro that it stands for, "assertion `left == right` failed".
#
# Instead, pretty_assertions 1 has the escape sequences in the message of the panic itself, always: no variable and no terminal is asked. They are in what
# `catch_unwind` gives, and so wherever a message of a panic goes. The first line has the words that the standard library had before 2023, with parentheses:
# "assertion failed: `(left == right)`". So neither the standard text nor the values, which are cut into coloured pieces, are found by who searches the
# output.
#
# Version: pretty_assertions 1.4.1 and rustc 1.95.0. Source: the macros in src/lib.rs and `paint!` in src/printer.rs, which takes yansi as it is.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "coloured"
version = "0.0.0"
edition = "2024"
[dependencies]
pretty_assertions = "=1.4.1"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let left = "state: open, number: 1";
    let right = "state: open, number: 2";
    for (name, assertion) in [
        ("std", Box::new(|| assert_eq!(left, right)) as Box<dyn Fn() + std::panic::RefUnwindSafe>),
        ("pretty_assertions", Box::new(|| pretty_assertions::assert_eq!(left, right))),
    ] {
        let payload = std::panic::catch_unwind(|| assertion()).unwrap_err();
        let message = payload.downcast_ref::<String>().unwrap();
        let first = message.lines().next().unwrap();
        println!("{name}: {first:?}, escapes: {}, has the value: {}", message.contains('\x1b'), message.contains(left));
    }
}
RUST
cargo +1.95.0 build --quiet
for variable in NO_COLOR=1 CLICOLOR=0 TERM=dumb; do
    echo "$variable"
    env "$variable" target/debug/coloured
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another message' >&2; exit 1; }
NO_COLOR=1
std: "assertion `left == right` failed", escapes: false, has the value: true
pretty_assertions: "assertion failed: `(left == right)`", escapes: true, has the value: false
CLICOLOR=0
std: "assertion `left == right` failed", escapes: false, has the value: true
pretty_assertions: "assertion failed: `(left == right)`", escapes: true, has the value: false
TERM=dumb
std: "assertion `left == right` failed", escapes: false, has the value: true
pretty_assertions: "assertion failed: `(left == right)`", escapes: true, has the value: false
SEEN
