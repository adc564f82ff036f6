#!/bin/sh
# One would expect `any::<u64>()` of a library for property tests to try 0, 1 and the greatest number sooner than others, as many bugs are there, and
# `any::<f64>()` to give, as it says, any: NaN and the infinities above all, as `proptest::num::f64::ANY` does.
#
# Instead, integers are drawn evenly: of 100000 numbers of 64 bits none is below a million, none is 0 or the greatest, and a property that fails for small
# ones alone passes. It is so with `i64` and `u32`. `any::<f64>()` has no NaN and no infinity, which `num::f64::ANY` has; "any" and "ANY" are not the same.
# What is to be tried often has to be said, with `prop_oneof!`.
#
# Version: proptest 1.12.0 and rustc 1.95.0. Source: the `arbitrary!` of numbers in src/arbitrary/primitives.rs, which takes POSITIVE, NEGATIVE, ZERO,
# SUBNORMAL and NORMAL for a float, and `num::$typ::Any` in src/num.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "extremes"
version = "0.0.0"
edition = "2024"
[dependencies]
proptest = { version = "=1.12.0", default-features = false, features = ["std"] }
[profile.dev]
debug = 0
opt-level = 1
[workspace]
TOML
cat > src/main.rs <<'RUST'
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Whether any of many values of the strategy is of the kind.
fn some<S: Strategy>(name: &str, strategy: S, is: impl Fn(S::Value) -> bool) {
    let mut runner = TestRunner::deterministic();
    let found = (0..100_000).any(|_| is(strategy.new_tree(&mut runner).unwrap().current()));
    println!("{name}: {}", if found { "yes" } else { "no" });
}

fn main() {
    some("u64 that is 0 or the greatest", any::<u64>(), |number| number == 0 || number == u64::MAX);
    some("u64 below a million", any::<u64>(), |number| number < 1_000_000);
    some("i64 between minus a million and a million", any::<i64>(), |number| number.unsigned_abs() < 1_000_000);
    some("u32 that is 0 or the greatest", any::<u32>(), |number| number == 0 || number == u32::MAX);
    some("f64, any, that is NaN", any::<f64>(), f64::is_nan);
    some("f64, any, that is infinite", any::<f64>(), f64::is_infinite);
    some("f64, ANY, that is NaN", proptest::num::f64::ANY, f64::is_nan);
    some("f64, ANY, that is infinite", proptest::num::f64::ANY, f64::is_infinite);
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other numbers are tried' >&2; exit 1; }
u64 that is 0 or the greatest: no
u64 below a million: no
i64 between minus a million and a million: no
u32 that is 0 or the greatest: no
f64, any, that is NaN: no
f64, any, that is infinite: no
f64, ANY, that is NaN: yes
f64, ANY, that is infinite: yes
SEEN
