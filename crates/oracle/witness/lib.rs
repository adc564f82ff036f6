//! The witness: preloaded into an unmodified rustc, it writes down who ends the process.
//!
//! A procedural macro is code of the user's that runs inside the compiler. It may print what a crashing
//! compiler prints and end the process with the same status, so that nothing that was printed tells
//! the two apart. What does is whose code stood on the stack at the end: this library takes the place
//! of the functions that end a process, and of the handlers of deadly signals, and writes the names of
//! the libraries whose code was being executed, the innermost first, to a file. Then the process
//! ends as it would have.
//!
//! The witness is a library of its own, compiled by the build script and carried by the oracle as
//! bytes. It uses no other crate, since it shares its process with rustc.

#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#![expect(
    unsafe_code,
    reason = "it takes the place of functions of the C library, and handles signals"
)]

mod report;
mod signals;
mod stack;
mod start;

use std::ffi::{c_char, c_int, c_void};
use std::mem::transmute;

/// The handle that asks for the definition after ours.
const NEXT: *mut c_void = std::ptr::without_provenance_mut(usize::MAX);

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Returns the address of a function that this library replaces; the caller knows its type. Zero where
/// there is none.
fn original(name: &std::ffi::CStr) -> usize {
    // SAFETY: the name is a C string.
    unsafe { dlsym(NEXT, name.as_ptr()) }.addr()
}

type Exit = unsafe extern "C" fn(c_int) -> !;

fn exit_by(name: &std::ffi::CStr, status: c_int) -> ! {
    report::event("exit", None);
    // SAFETY: the C library defines it with this type.
    let original = unsafe { transmute::<usize, Exit>(original(name)) };
    // SAFETY: the caller wants to end the process.
    unsafe { original(status) }
}

/// Reports the call, and ends the process as the original function does.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn exit(status: c_int) -> ! {
    exit_by(c"exit", status)
}

/// Reports the call, and ends the process as the original function does.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn _exit(status: c_int) -> ! {
    exit_by(c"_exit", status)
}

/// Reports the call, and ends the process as the original function does.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn _Exit(status: c_int) -> ! {
    exit_by(c"_Exit", status)
}

/// Reports the call, and ends the process as the original function does.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn quick_exit(status: c_int) -> ! {
    exit_by(c"quick_exit", status)
}
