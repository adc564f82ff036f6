#!/usr/bin/env bash
# One would expect a float that makes a property fail to be reduced to the smallest one that does, or near to it: the documentation of proptest's shrinker of
# floats says that it searches "using binary search to find boundary points", as it does for integers, which end at the boundary.
#
# Instead, one smaller value is tried, 0 (for a range, its end that is nearest to 0), and if that passes, the float that was found, once more, which stays. A
# property that fails from 1.5 on reports something like 1.6e118, from `any::<f64>()`, and one that fails from 0.25 on in the range `0.0..1.0` reports any
# number above. The cause is a branch that takes the lower bound where the middle was computed. Integers and lengths beside the float are reduced as ever.
#
# Version: proptest 1.12.0 and rustc 1.95.0. Source: `reposition` of `float_bin_search` in src/num.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "shrunk"
version = "0.0.0"
edition = "2024"
[dependencies]
proptest = { version = "=1.12.0", default-features = false, features = ["std"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::cell::RefCell;
use std::fmt::Debug;

fn reduced<S: Strategy>(name: &str, strategy: S, fails: impl Fn(&S::Value) -> bool)
where
    S::Value: Debug + Clone + PartialEq,
{
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let failed = RefCell::new(Vec::new());
    let tried = RefCell::new(Vec::new());
    let result = runner.run(&strategy, |value| {
        let fail = fails(&value);
        if fail {
            failed.borrow_mut().push(value.clone());
        }
        if !failed.borrow().is_empty() {
            tried.borrow_mut().push(value);
        }
        if fail { Err(TestCaseError::fail("")) } else { Ok(()) }
    });
    let Err(TestError::Fail(_, end)) = result else { panic!("no value fails") };
    let first = failed.borrow()[0].clone();
    let tried = tried.borrow();
    eprintln!("{name}: found {first:?}, ends with {end:?}");
    println!("{name}: {}", if end == first { "as found".into() } else { format!("{end:?}") });
    if name.starts_with("float") {
        println!("    tried {:?}", &tried[1..]);
    }
}

fn main() {
    reduced("integer above 1000", any::<i32>(), |number| *number > 1000);
    reduced("float above 1.5", any::<f64>(), |number| *number > 1.5);
    reduced("float above 0.25 in 0..1", 0.0..1.0f64, |number| *number > 0.25);
    reduced("float above 4 in 2..90", 2.0..90.0f32, |number| *number > 4.0);
    reduced("float, any", any::<f64>(), |_| true);
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other values are tried' >&2; exit 1; }
integer above 1000: 1001
float above 1.5: as found
    tried [0.0, 1.6281221092617474e118]
float above 0.25 in 0..1: as found
    tried [0.0, 0.7949643682923191]
float above 4 in 2..90: as found
    tried [2.0, 28.471237]
float, any: 0.0
    tried [0.0]
SEEN
