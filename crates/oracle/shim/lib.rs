//! A fork server that is preloaded into an unmodified rustc, and makes a warm compiler of it.
//!
//! rustc is started with the arguments of a query and runs until it opens the crate root for reading.
//! By then it is loaded and relocated, has read its arguments and found the standard library. There
//! it stops and serves: each request forks a child, which goes on to read the program that now
//! stands in the crate root's file. What came before is paid once instead of for each query.
//!
//! This library takes the place of six functions of the C library in that process:
//! `__libc_start_main`, to be there before `main` (`start`, with the `order` that it is given); `open` and `open64`, to see the crate
//! root being opened (`server`); `pthread_create` and `pthread_join`, because rustc compiles on a
//! second thread while its main thread waits for it, and only the forking thread lives on in a child
//! (`threads`); `mmap`, to give a child huge pages (`heap`; `pages` does so for the code). If anything
//! is not as expected, rustc goes on as if nothing were preloaded.
//!
//! `program` is the root of a smaller library that makes a fork server of a compiled program.
//!
//! The shim is a library of its own, compiled by the build script and carried by the oracle as bytes.
//! It uses no other crate, since it shares its process with rustc.

#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#![expect(
    unsafe_code,
    reason = "it takes the place of functions of the C library, and forks"
)]

mod forks;
mod heap;
mod lock;
mod order;
mod pages;
#[expect(dead_code, reason = "each side reads what the other one writes")]
mod protocol;
mod server;
mod start;
mod system;
mod threads;
