//! Keeps a forked compiler from leaving its process group.
//!
//! A compiler's child in a sandbox may not leave the group that is killed after each query. The server
//! itself has to make these groups, so that it is each child that gives this up for itself.

use crate::system;
use std::ffi::{c_long, c_ulong, c_ushort};

const PR_GET_NO_NEW_PRIVS: i32 = 39;
const SYS_SECCOMP: c_long = 317;
const SET_FILTER: c_long = 1;
/// The flag by which the filter of system calls does not slow down speculative execution.
const SPECULATES: c_ulong = 4;

/// The structure `struct sock_filter`.
#[repr(C)]
struct Instruction {
    code: c_ushort,
    if_true: u8,
    if_false: u8,
    k: u32,
}

/// The structure `struct sock_fprog`.
#[repr(C)]
struct Program {
    length: c_ushort,
    instructions: *const Instruction,
}

/// The filter of system calls by which `setpgid` and `setsid` fail with `EPERM` from now on. A call of another
/// architecture is let through: the sandbox's own filter has refused it.
static FILTER: [Instruction; 7] = [
    instruction(0x20, 0, 0, 4),
    instruction(0x15, 0, 3, 0xc000_003e),
    instruction(0x20, 0, 0, 0),
    instruction(0x15, 2, 0, 109),
    instruction(0x15, 1, 0, 112),
    instruction(0x06, 0, 0, 0x7fff_0000),
    instruction(0x06, 0, 0, 0x0005_0001),
];

const fn instruction(code: c_ushort, if_true: u8, if_false: u8, k: u32) -> Instruction {
    Instruction {
        code,
        if_true,
        if_false,
        k,
    }
}

/// Keeps the calling process from leaving its process group, if it is in a sandbox. Returns whether it is locked or
/// need not be.
pub(crate) fn stay_in_group() -> bool {
    let program = Program {
        length: FILTER.len() as c_ushort,
        instructions: FILTER.as_ptr(),
    };
    // SAFETY: numbers, and a program of the stated length, which the kernel copies.
    unsafe {
        let is_confined = system::prctl(
            PR_GET_NO_NEW_PRIVS,
            0,
            0 as c_ulong,
            0 as c_ulong,
            0 as c_ulong,
        ) == 1;
        !is_confined
            || system::syscall(SYS_SECCOMP, SET_FILTER, SPECULATES, &raw const program) == 0
    }
}
