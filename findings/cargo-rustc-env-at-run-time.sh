#!/bin/sh
# cargo's book says that `cargo::rustc-env=VAR=VALUE` of a build script sets a variable "when compiling the package". One would expect
# that `std::env::var` does not find it when the program runs. With cargo 1.95.0 it does, in `cargo run`, in tests and in doc tests, as it
# does with `OUT_DIR`, and only there: the same executable, started by hand, does not have them. CARGO_TARGET_TMPDIR, which is also set
# for compilers, is really not there at run time.
# Version: cargo 1.95.0. Source: https://doc.rust-lang.org/cargo/reference/build-scripts.html#rustc-env, and own experiment.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset GREETING OUT_DIR CARGO_TARGET_TMPDIR
mkdir "$dir/src" "$dir/tests"
cd "$dir"
cat > Cargo.toml <<'TOML'
[package]
name = "greeter"
version = "0.1.0"
edition = "2024"
[workspace]
TOML
echo 'fn main() { println!("cargo::rustc-env=GREETING=hello"); println!("cargo::rerun-if-changed=build.rs"); }' > build.rs
cat > src/lib.rs <<'RS'
/// ```
/// assert_eq!(greeter::seen(), "true true false");
/// ```
pub fn seen() -> String {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    format!("{} {} {}", is_set("GREETING"), is_set("OUT_DIR"), is_set("CARGO_TARGET_TMPDIR"))
}
RS
echo 'fn main() { println!("{}", greeter::seen()); }' > src/main.rs
echo '#[test] fn t() { assert!(!env!("CARGO_TARGET_TMPDIR").is_empty()); assert_eq!(greeter::seen(), "true true false"); }' > tests/t.rs
ran=$(cargo +1.95.0 run --quiet --offline)
by_hand=$(target/debug/greeter)
echo "GREETING, OUT_DIR, CARGO_TARGET_TMPDIR are set: by cargo run: $ran; by hand: $by_hand"
test "$ran" = "true true false" || { echo "cargo run sets other variables now"; exit 1; }
test "$by_hand" = "false false false" || { echo "the program finds them by itself now"; exit 1; }
cargo +1.95.0 test --quiet --offline > out.txt 2>&1 || { cat out.txt; echo "tests or doc tests see other variables now"; exit 1; }
echo "a test and a doc test see the same as cargo run gives"
