//! Takes all privileges from a confined process, so that neither the process nor what it starts gets any again. Root
//! is left with being the owner of its files; a setuid program runs as who starts it.

use std::io;

/// The layout of the two arguments of `capset`, version 3.
#[repr(C)]
struct Header {
    version: u32,
    pid: i32,
}

#[repr(C)]
struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

const VERSION_3: u32 = 0x2008_0522;
/// The flags of `prctl` by which user 0 gets no capabilities when a program starts (1), and nobody changes that (2);
/// nor when user numbers change (4, 8).
const ROOT_IS_NOBODY: libc::c_ulong = 1 | 2 | 4 | 8;

/// Gives up all capabilities, for the programs that follow too. Only system calls.
#[expect(unsafe_code, reason = "no safe interface without an allocation")]
pub(super) fn drop_all() -> io::Result<()> {
    let header = Header {
        version: VERSION_3,
        pid: 0,
    };
    let none = [const {
        Sets {
            effective: 0,
            permitted: 0,
            inheritable: 0,
        }
    }; 2];
    // SAFETY: numbers, and two structures as the kernel defines them, which it only reads.
    unsafe {
        // A process that may not do this has no capability that a program could get back by it.
        libc::prctl(libc::PR_SET_SECUREBITS, ROOT_IS_NOBODY, 0, 0, 0);
        check(libc::syscall(
            libc::SYS_capset,
            &raw const header,
            none.as_ptr(),
        ))?;
        let set = libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        check(libc::c_long::from(set))
    }
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
