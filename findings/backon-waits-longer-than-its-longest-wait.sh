#!/usr/bin/env bash
# One would expect `with_max_delay` of a crate for retries to be the longest time that it waits between two tries, whatever is drawn by chance, for the first
# wait as for all others.
#
# Instead, each series of backon goes beyond it in its own way. The exponential one limits the delay that it doubles, and adds the jitter afterwards, up to as
# much again: with a maximum of two seconds it waits up to four, for ever. Its first wait is the least delay, unlimited: with 100 seconds (the maximum is 60
# by default) it is 100 seconds, and each further one 60. The Fibonacci series limits nothing: it only grows no further when it has reached the maximum or
# passed it, so that a maximum of nine seconds ends in waits of 13, without any jitter. `with_total_delay` ends the series before the wait that would go over
# it, though a shorter one would fit: of six seconds three are used, and none at all where the first wait is longer. tokio-retry keeps below its maximum, as
# its jitter only takes away, and exponential-backoff limits what comes out. A test of a time limit that adds up maxima is wrong by a factor of two.
#
# Version: backon 1.6.0, tokio-retry 0.3.2, exponential-backoff 2.1.1 and rustc 1.95.0. Source: `ExponentialBackoff::next` in src/backoff/exponential.rs and
# `FibonacciBackoff::next` in src/backoff/fibonacci.rs of backon.
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
backon = { version = "=1.6.0", default-features = false, features = ["std"] }
exponential-backoff = "=2.1.1"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use backon::{BackoffBuilder, ExponentialBuilder, FibonacciBuilder};
use std::time::Duration;
use tokio_retry::strategy::{ExponentialBackoff, jitter};

const SECOND: Duration = Duration::from_secs(1);

fn shown(name: &str, waits: impl Iterator<Item = Duration>) {
    let waits: Vec<Duration> = waits.skip(10).take(1000).collect();
    let longer = waits.iter().filter(|wait| **wait > 2 * SECOND).count();
    println!("{name}: of {} waits are longer than two seconds: {}", waits.len(), if longer == 0 { "none" } else if longer > 900 { "nearly all" } else { "some" });
}

fn main() {
    let exponential = ExponentialBuilder::default().with_max_delay(2 * SECOND).without_max_times();
    shown("backon without jitter", exponential.build());
    shown("backon with jitter", exponential.with_jitter().build());
    shown("tokio-retry with jitter", ExponentialBackoff::from_millis(2).factor(500).max_delay(2 * SECOND).map(jitter));
    let mut other = exponential_backoff::Backoff::new(2000, SECOND, 2 * SECOND);
    other.set_jitter(1.0);
    shown("exponential-backoff with jitter", other.into_iter().flatten());
    let least = ExponentialBuilder::default().with_min_delay(100 * SECOND);
    println!("least 100 s, maximum 60 s: {:?}", least.build().collect::<Vec<_>>());
    for maximum in [4, 5, 9] {
        let series = FibonacciBuilder::default().with_max_delay(maximum * SECOND).with_max_times(8);
        println!("Fibonacci, maximum {maximum} s: {:?}", series.build().collect::<Vec<_>>());
    }
    for total in [6, 7, 1] {
        let series = ExponentialBuilder::default().with_max_times(9).with_total_delay(Some(total * SECOND));
        println!("{total} s in total: {:?}", series.build().collect::<Vec<_>>());
    }
    let series = ExponentialBuilder::default().with_min_delay(2 * SECOND).with_total_delay(Some(SECOND));
    println!("1 s in total, least 2 s: {:?}", series.build().collect::<Vec<_>>());
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other waits' >&2; exit 1; }
backon without jitter: of 1000 waits are longer than two seconds: none
backon with jitter: of 1000 waits are longer than two seconds: nearly all
tokio-retry with jitter: of 1000 waits are longer than two seconds: none
exponential-backoff with jitter: of 1000 waits are longer than two seconds: none
least 100 s, maximum 60 s: [100s, 60s, 60s]
Fibonacci, maximum 4 s: [1s, 1s, 2s, 3s, 5s, 5s, 5s, 5s]
Fibonacci, maximum 5 s: [1s, 1s, 2s, 3s, 5s, 5s, 5s, 5s]
Fibonacci, maximum 9 s: [1s, 1s, 2s, 3s, 5s, 8s, 13s, 13s]
6 s in total: [1s, 2s]
7 s in total: [1s, 2s, 4s]
1 s in total: [1s]
1 s in total, least 2 s: []
SEEN
