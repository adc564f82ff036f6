#!/usr/bin/env bash
# One would expect `timeout(1 hour, child.wait())` to wait for a child that runs a fraction of a second, in a test with `start_paused = true` as well: the clock
# of such a test moves on when the runtime has nothing to do, and it waits for something real.
#
# What happens: to the paused clock only tasks and `spawn_blocking` are something to do. While a child process, a pipe or another thread is waited for, the
# clock jumps at once to the next timer: the hour is over before the child has begun, and `Elapsed` is returned. A file that is read (by `spawn_blocking`)
# stops the clock, so that the same limit around `tokio::fs::read` holds. Without the pause all three are waited for.
#
# Version: tokio 1.54.1 and rustc 1.95.0. Source: `Clock::can_auto_advance` and `park_internal` in tokio's src/runtime/time.
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
tokio = { version = "=1.54.1", features = ["fs", "process", "rt", "sync", "test-util", "time"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::time::Duration;
use tokio::time::timeout;

const HOUR: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(300);

async fn waited() -> String {
    let mut child = tokio::process::Command::new("sleep").arg("0.3").spawn().unwrap();
    let process = timeout(HOUR, child.wait()).await.is_ok();
    child.wait().await.unwrap();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(SHORT);
        sender.send(())
    });
    let message = timeout(HOUR, receiver).await.is_ok();
    let _ = thread.join().unwrap();
    let file = timeout(HOUR, tokio::fs::read("Cargo.toml")).await.is_ok();
    let blocking = timeout(HOUR, tokio::task::spawn_blocking(|| std::thread::sleep(SHORT))).await.is_ok();
    format!("process {process}, thread {message}, file {file}, spawn_blocking {blocking}")
}

fn main() {
    for paused in [false, true] {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(paused).build().unwrap();
        println!("paused {paused}: {}", runtime.block_on(waited()));
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: the paused clock waits for others' >&2; exit 1; }
paused false: process true, thread true, file true, spawn_blocking true
paused true: process false, thread false, file true, spawn_blocking true
SEEN
