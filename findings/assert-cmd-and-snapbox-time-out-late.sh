#!/bin/sh
# One would expect `Command::timeout` of assert_cmd and of snapbox ("Error out if a timeout is reached") to end the wait for a program when the time is over,
# or to say afterwards that it was over, so that a test of a program that may hang ends.
#
# What happens: the time limit is for the child alone, and the end of its output is waited for without any limit. Where the child has started a process that
# holds its standard output or error (a shell script with a command in it, `cargo run`, a server in the background), the child is killed in time, and the call
# returns when that process ends: here after three seconds in place of a half. A child that ended by itself before that passes, however long it took: its
# status is a success, and nobody is told of the limit. The process that was waited for is not stopped either.
#
# Version: assert_cmd 2.2.2, snapbox 1.2.2 and rustc 1.95.0, on Linux. Source: both join the threads that read after the wait (`wait_with_input_output` in
# assert_cmd's src/cmd.rs); and running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "late"
version = "0.0.0"
edition = "2024"
[dependencies]
assert_cmd = "=2.2.2"
snapbox = { version = "=1.2.2", features = ["cmd"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::process::Output;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(500);

fn show(name: &str, run: impl FnOnce() -> std::io::Result<Output>) {
    let begin = Instant::now();
    let output = run().unwrap();
    let time = if begin.elapsed() < Duration::from_secs(2) { "in time" } else { "late" };
    println!("    {name}: {}, {time}", output.status);
}

fn main() {
    for (name, script) in [
        ("one process", "exec sleep 3"),
        ("a command in a script", "sleep 3; true"),
        ("a process in the background", "sleep 3 & exit 0"),
        ("one in the background, without the output", "sleep 3 > log 2>&1 & exit 0"),
    ] {
        println!("{name}:");
        show("assert_cmd", || assert_cmd::Command::new("sh").args(["-c", script]).timeout(LIMIT).output());
        show("snapbox", || snapbox::cmd::Command::new("sh").args(["-c", script]).timeout(LIMIT).output());
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: it ends at other times' >&2; exit 1; }
one process:
    assert_cmd: signal: 9 (SIGKILL), in time
    snapbox: signal: 9 (SIGKILL), in time
a command in a script:
    assert_cmd: signal: 9 (SIGKILL), late
    snapbox: signal: 9 (SIGKILL), late
a process in the background:
    assert_cmd: exit status: 0, late
    snapbox: exit status: 0, late
one in the background, without the output:
    assert_cmd: exit status: 0, in time
    snapbox: exit status: 0, in time
SEEN
