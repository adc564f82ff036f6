//! A fork server that is preloaded into a compiled program: the program is started once, and each run is a fork of it.
//!
//! The process stops when it is loaded and relocated, before anything of the program itself has run: in
//! `__libc_start_main`, whose place this library takes. A child goes on from there, with one more environment variable, and
//! is from then on like a process that was started by itself. If anything is not as expected, the process ends, and the
//! oracle starts the program anew for each run.

#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#![expect(
    unsafe_code,
    reason = "it takes the place of a function of the C library, and forks"
)]

mod before_main;
mod forks;
mod lock;
mod order;
#[expect(dead_code, reason = "each side reads what the other one writes")]
mod protocol;
#[expect(dead_code, reason = "the fork server of compilers needs more of it")]
mod system;
