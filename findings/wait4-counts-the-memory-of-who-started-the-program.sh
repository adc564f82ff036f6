#!/usr/bin/env bash
# One would expect the most memory that a child process has had, which `wait4` and `getrusage` tell as `ru_maxrss`, to be the memory of the program that ran in
# it, so that a test harness can find out with it what a compiler or a test needs.
#
# Instead, for a program that `std::process::Command` starts, it is at least the most that the harness itself has ever had. The child shares the memory of its
# parent until it becomes the program, and what was used there is counted as its own: `true` needs 200 MB in a harness that had a vector of that size once,
# also when the vector was freed long ago. A shell between the two changes nothing, as it is the child. With an empty `pre_exec`, for which the standard library
# copies the process in the old way, the peak of the parent is forgotten, but what it holds at that time still counts. So a measured need of memory, or a
# comparison of two compilers, is wrong without any sign of it as soon as the harness is larger than what it measures.
#
# Version: rustc 1.95.0 and libc 0.2.189 with glibc 2.36, on Linux 6.18. Source: `exec_mmap` in fs/exec.c of Linux takes the peak of the old memory over, and
# `posix_spawn` in library/std/src/sys/process/unix/unix.rs is used where there is no `pre_exec`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "memory"
version = "0.0.0"
edition = "2024"
[dependencies]
libc = "=0.2.189"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Runs a small program, and tells how much memory it is said to have had at most.
fn measure(what: &str, how: &str) {
    let mut command = Command::new("true");
    if how == "pre_exec" {
        unsafe { command.pre_exec(|| Ok(())) };
    } else if how == "sh" {
        command = Command::new("sh");
        command.args(["-c", "true; exit 0"]);
    }
    let child = command.spawn().unwrap();
    let mut status = 0;
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let waited = unsafe { libc::wait4(child.id() as i32, &mut status, 0, &mut usage) };
    assert_eq!((waited, status), (child.id() as i32, 0));
    let memory = match usage.ru_maxrss / 1024 {
        0..100 => "less than 100 MB",
        100..200 => "less than 200 MB",
        _ => "200 MB or more",
    };
    println!("{what}, {how}: {memory}");
}

fn main() {
    for how in ["spawn", "pre_exec", "sh"] {
        measure("small harness", how);
    }
    let held = std::hint::black_box(vec![1_u8; 200 << 20]);
    for how in ["spawn", "pre_exec", "sh"] {
        measure("harness with 200 MB", how);
    }
    drop(std::hint::black_box(held));
    for how in ["spawn", "pre_exec", "sh"] {
        measure("200 MB are freed", how);
    }
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another memory is counted' >&2; exit 1; }
small harness, spawn: less than 100 MB
small harness, pre_exec: less than 100 MB
small harness, sh: less than 100 MB
harness with 200 MB, spawn: 200 MB or more
harness with 200 MB, pre_exec: 200 MB or more
harness with 200 MB, sh: 200 MB or more
200 MB are freed, spawn: 200 MB or more
200 MB are freed, pre_exec: less than 100 MB
200 MB are freed, sh: 200 MB or more
SEEN
