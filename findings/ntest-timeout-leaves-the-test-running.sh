#!/usr/bin/env bash
# One would expect a test that has taken longer than its `#[timeout(200)]` of ntest to be stopped, or the test program to end, as the test is FAILED; and the
# attribute to change nothing for a test that ends in time.
#
# Instead, the body goes on in a thread of its own beside the tests that follow: here it writes a file after it has failed, which a later test finds. The
# attribute also takes the name off the test's thread: a panic in it is reported as one of `<unnamed>`, and `std::thread::current().name()` is `None`, so that
# no line of a panic says which test it was.
#
# Version: ntest 0.9.5 and rustc 1.95.0. Source: `timeout` in ntest_timeout's src/lib.rs, which starts a thread and waits for it with `recv_timeout`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "limited"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
ntest = "=0.9.5"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/lib.rs <<'RUST'
#[cfg(test)]
mod tests {
    use std::{fs, path::Path, thread, time::Duration};

    #[test]
    #[ntest::timeout(200)]
    fn a_slow() {
        thread::sleep(Duration::from_millis(2000));
        fs::write("trace", "").unwrap();
    }
    #[test]
    #[ntest::timeout(20000)]
    fn b_panics() {
        panic!("the name is {:?}", thread::current().name());
    }
    #[test]
    fn c_panics_without_a_limit() {
        panic!("the name is {:?}", thread::current().name());
    }
    #[test]
    fn d_later() {
        assert!(!Path::new("trace").exists());
        thread::sleep(Duration::from_millis(6000));
        assert!(!Path::new("trace").exists(), "a test that has failed is still at work");
    }
}
RUST
RUST_BACKTRACE=0 cargo +1.95.0 test --quiet --lib -- --format pretty --color never --test-threads 1 > said 2> err && { echo 'changed: all pass' >&2; exit 1; }
sed -n 's/^thread \(.*\) ([0-9]*) panicked.*/panic in \1/p; s/^\(test .* \.\.\. .*\)/\1/p; /^the name is/p; /^a test that/p' said > out
cat out
cmp -s out - <<'SEEN' || { cat err; echo 'changed: other tests fail' >&2; exit 1; }
test tests::a_slow ... FAILED
test tests::b_panics ... FAILED
test tests::c_panics_without_a_limit ... FAILED
test tests::d_later ... FAILED
panic in 'tests::a_slow'
panic in '<unnamed>'
the name is None
panic in 'tests::c_panics_without_a_limit'
the name is Some("tests::c_panics_without_a_limit")
panic in 'tests::d_later'
a test that has failed is still at work
SEEN
