#!/bin/sh
# One would expect a failing test to panic once, at the place of the assertion that failed, and a property written with `assert!` to fail like one that is
# written with `prop_assert!`.
#
# What happens: proptest runs the property again for each step of its shrinking, and each step that fails panics for the hook to see, with another value. How
# many there are, and the value in the first one, depend on the random seed. The last panic is proptest's own; its place is the macro `proptest!`, the
# same one for all properties in it. With `prop_assert!` that last panic is the only one. So the first panic that a failing test prints is neither stable
# nor of the smallest input, and its last one does not tell two properties apart by their place.
#
# Version: proptest 1.12.0 and rustc 1.95.0. Source: `call_test` in src/test_runner/runner.rs, which calls `catch_unwind` and leaves the hook alone
# unless the feature `handle-panics` is on.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "steps"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
proptest = { version = "=1.12.0", default-features = false, features = ["std"] }
[workspace]
TOML
cat > src/lib.rs <<'RUST'
#[cfg(test)]
proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]
    #[test]
    fn asserted(number in 100u32..) {
        assert!(number < 50, "{number} is large");
    }
    #[test]
    fn returned(number in 100u32..) {
        proptest::prop_assert!(number < 50, "{number} is large");
    }
}
RUST
cargo test --quiet --no-run 2> err || { cat err; exit 1; }
panics() {
    status=0
    RUST_BACKTRACE=0 cargo test --quiet --lib -- --exact "$1" > out 2>&1 || status=$?
    [ "$status" = 101 ] || { cat out; echo "changed: the test does not fail" >&2; exit 1; }
    grep '^minimal failing input' out
    grep -A 1 'panicked at' out | grep -v '^--$' > "$1.panics"
    count=$(grep -c 'panicked at' "$1.panics")
    place=$(sed -n 's/^.*panicked at \(.*\):$/\1/p' "$1.panics" | tail -n 1)
    echo "$1: $count panics, the last one at $place; the first:"
    head -n 2 "$1.panics"
}
panics asserted
[ "$count" -gt 1 ] || { echo "changed: there is one panic" >&2; exit 1; }
grep -q 'minimal failing input: number = 100$' out || { echo "changed: another number is the smallest" >&2; exit 1; }
last=$place
panics returned
[ "$count" = 1 ] || { echo "changed: there is more than one panic" >&2; exit 1; }
[ "$place" = "$last" ] || { echo "changed: the two have places of their own" >&2; exit 1; }
