#!/usr/bin/env bash
# One would expect `ExponentialBackoff::from_millis(100)` to wait 100 milliseconds at first and twice as long each time, as other crates for retries do by
# default; and a larger number to be the same series in another unit.
#
# Instead, tokio-retry takes the number as the base of a power, without its unit: the wait before the n-th further try is that number to the power of n, in
# milliseconds. With 100 these are a tenth of a second, ten seconds, 17 minutes and more than a day; with 1 each wait is one millisecond; with 0 there is
# none. With 10, as its documentation has it, the fifth wait is 100 seconds. `factor` multiplies all waits alike and is no growth, unlike what is called so in
# backon and exponential-backoff. The series that was meant is `from_millis(2).factor(50)`. Its `FibonacciBackoff::from_millis(100)` does begin with 100 ms
# and goes on in that unit. A test with two tries sees nothing of it.
#
# Version: tokio-retry 0.3.2, backon 1.6.0, exponential-backoff 2.1.1 and rustc 1.95.0. Source: `ExponentialBackoff::next` in src/strategy.rs of tokio-retry.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "waits"
version = "0.0.0"
edition = "2024"
[dependencies]
tokio-retry = "=0.3.2"
backon = { version = "=1.6.0", default-features = false }
exponential-backoff = "=2.1.1"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use backon::BackoffBuilder;
use std::time::Duration;
use tokio_retry::strategy::{ExponentialBackoff, FibonacciBackoff};

fn waits(name: &str, series: impl Iterator<Item = Duration>) {
    let series: Vec<String> = series.take(5).map(|wait| format!("{wait:?}")).collect();
    println!("{name}: {}", series.join(", "));
}

fn main() {
    for base in [0, 1, 2, 10, 100] {
        waits(&format!("from_millis({base})"), ExponentialBackoff::from_millis(base));
    }
    waits("from_millis(100).factor(2)", ExponentialBackoff::from_millis(100).factor(2));
    waits("from_millis(2).factor(50)", ExponentialBackoff::from_millis(2).factor(50));
    waits("Fibonacci from_millis(100)", FibonacciBackoff::from_millis(100));
    let first = Duration::from_millis(100);
    waits("backon with 100 ms", backon::ExponentialBuilder::default().with_min_delay(first).with_max_times(5).build());
    let mut other = exponential_backoff::Backoff::new(6, first, Duration::from_secs(60));
    other.set_jitter(0.0);
    waits("exponential-backoff with 100 ms", other.into_iter().flatten());
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other waits' >&2; exit 1; }
from_millis(0): 0ns, 0ns, 0ns, 0ns, 0ns
from_millis(1): 1ms, 1ms, 1ms, 1ms, 1ms
from_millis(2): 2ms, 4ms, 8ms, 16ms, 32ms
from_millis(10): 10ms, 100ms, 1s, 10s, 100s
from_millis(100): 100ms, 10s, 1000s, 100000s, 10000000s
from_millis(100).factor(2): 200ms, 20s, 2000s, 200000s, 20000000s
from_millis(2).factor(50): 100ms, 200ms, 400ms, 800ms, 1.6s
Fibonacci from_millis(100): 100ms, 100ms, 200ms, 300ms, 500ms
backon with 100 ms: 100ms, 200.000003ms, 400.000006ms, 800.000012ms, 1.600000024s
exponential-backoff with 100 ms: 100ms, 200ms, 400ms, 800ms, 1.6s
SEEN
