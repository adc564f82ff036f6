//! Allocates memory for a child between fork and `exec`: its stack, and what it shares with us.

use libc::c_void;
use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::AtomicI32;

/// The size of a stack in bytes. The largest thing on it is a filter of system calls.
const STACK: usize = 256 << 10;

/// A piece of memory that a forked child uses as its stack. What is not used of it is never there.
pub(super) struct Stack(Vec<MaybeUninit<u128>>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(Vec::with_capacity(STACK / size_of::<u128>()))
    }

    /// Returns the address at which the stack begins: stacks grow down.
    pub(super) fn top(&self) -> *mut c_void {
        let end = self.0.as_ptr().wrapping_add(self.0.capacity());
        end.cast_mut().cast()
    }
}

/// The numbers that a forked child tells its parent over shared memory. Zero is nothing.
pub(super) struct Told {
    /// The number of the process that has taken the first child's place, if one has.
    pub(super) successor: AtomicI32,
    /// The error number of the system for which the program was not started.
    pub(super) error: AtomicI32,
}

/// The memory that the forked child shares with us.
pub(super) struct SharedTold(*mut Told);

impl SharedTold {
    #[expect(unsafe_code, reason = "no safe interface to shared memory")]
    pub(super) fn new() -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        let anywhere = std::ptr::null_mut();
        // SAFETY: new memory, full of zeros.
        let memory = unsafe { libc::mmap(anywhere, size_of::<Told>(), access, kind, -1, 0) };
        match memory == libc::MAP_FAILED {
            true => Err(io::Error::last_os_error()),
            false => Ok(Self(memory.cast())),
        }
    }
}

impl std::ops::Deref for SharedTold {
    type Target = Told;

    #[expect(unsafe_code, reason = "shared memory is known by its address")]
    fn deref(&self) -> &Told {
        // SAFETY: it is there as long as this is, zeros are valid, and all access is atomic.
        unsafe { &*self.0 }
    }
}

impl Drop for SharedTold {
    #[expect(unsafe_code, reason = "shared memory is known by its address")]
    fn drop(&mut self) {
        // SAFETY: our own memory, which nobody refers to any more.
        unsafe { libc::munmap(self.0.cast(), size_of::<Told>()) };
    }
}
