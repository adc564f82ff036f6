//! Declares the functions of the C library that the preloaded library calls, and finds the originals of those that it
//! replaces.

use std::ffi::{CStr, c_char, c_int, c_long, c_short, c_uint, c_ulong, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) const EINTR: c_int = 4;
pub(crate) const POLLIN: c_short = 1;
pub(crate) const SIGKILL: c_int = 9;
pub(crate) const PR_SET_PDEATHSIG: c_int = 1;
pub(crate) const RLIMIT_CPU: c_int = 0;
pub(crate) const ITIMER_PROF: c_int = 2;
pub(crate) const SYS_GETTID: c_long = 186;
pub(crate) const SYS_PIDFD_OPEN: c_long = 434;
pub(crate) const PROT_READ: c_int = 1;
pub(crate) const PROT_WRITE: c_int = 2;
pub(crate) const PROT_EXEC: c_int = 4;
pub(crate) const MAP_PRIVATE: c_int = 2;
pub(crate) const MAP_ANONYMOUS: c_int = 0x20;
pub(crate) const MAP_NORESERVE: c_int = 0x4000;
pub(crate) const MAP_FAILED: *mut c_void = std::ptr::without_provenance_mut(usize::MAX);
pub(crate) const MADV_HUGEPAGE: c_int = 14;
pub(crate) const MREMAP_MAYMOVE: c_int = 1;
pub(crate) const MREMAP_FIXED: c_int = 2;
/// The flag by which descriptors that come with a packet are not handed on to programs that are started.
pub(crate) const MSG_CMSG_CLOEXEC: c_int = 0x4000_0000;
const RTLD_NEXT: *mut c_void = std::ptr::without_provenance_mut(usize::MAX);

/// The structure `struct iovec`.
#[repr(C)]
pub(crate) struct Buffer {
    pub(crate) base: *mut c_void,
    pub(crate) len: usize,
}

/// The structure `struct msghdr`.
#[repr(C)]
pub(crate) struct Message {
    pub(crate) name: *mut c_void,
    pub(crate) name_len: c_uint,
    pub(crate) buffers: *mut Buffer,
    pub(crate) buffer_count: usize,
    pub(crate) control: *mut c_void,
    pub(crate) control_len: usize,
    pub(crate) flags: c_int,
}

/// The structure `struct pollfd`.
#[repr(C)]
pub(crate) struct Poll {
    pub(crate) fd: c_int,
    pub(crate) events: c_short,
    pub(crate) ready: c_short,
}

/// The structure `struct timeval`.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Time {
    pub(crate) seconds: c_long,
    pub(crate) microseconds: c_long,
}

impl Time {
    pub(crate) fn of_microseconds(microseconds: u64) -> Self {
        Self {
            seconds: (microseconds / 1_000_000).cast_signed(),
            microseconds: (microseconds % 1_000_000).cast_signed(),
        }
    }
}

/// The structure `struct itimerval`.
#[repr(C)]
pub(crate) struct Timer {
    pub(crate) again: Time,
    pub(crate) first: Time,
}

/// The structure `struct rusage`.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Usage {
    pub(crate) user: Time,
    pub(crate) system: Time,
    pub(crate) peak_kib: c_long,
    rest: [c_long; 13],
}

/// The structure `struct rlimit`.
#[repr(C)]
pub(crate) struct Limit {
    pub(crate) current: c_ulong,
    pub(crate) maximum: c_ulong,
}

unsafe extern "C" {
    pub(crate) static mut environ: *mut *mut c_char;

    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    pub(crate) fn unsetenv(name: *const c_char) -> c_int;
    pub(crate) fn recvmsg(socket: c_int, message: *mut Message, flags: c_int) -> isize;
    pub(crate) fn send(socket: c_int, data: *const c_void, len: usize, flags: c_int) -> isize;
    pub(crate) fn poll(polls: *mut Poll, count: c_ulong, timeout: c_int) -> c_int;
    pub(crate) fn fork() -> c_int;
    pub(crate) fn _exit(status: c_int) -> !;
    pub(crate) fn fflush(stream: *mut c_void) -> c_int;
    pub(crate) fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut Usage)
    -> c_int;
    pub(crate) fn kill(pid: c_int, signal: c_int) -> c_int;
    pub(crate) fn setpgid(pid: c_int, group: c_int) -> c_int;
    pub(crate) fn getpid() -> c_int;
    pub(crate) fn getppid() -> c_int;
    pub(crate) fn dup2(from: c_int, to: c_int) -> c_int;
    pub(crate) fn close(fd: c_int) -> c_int;
    pub(crate) fn prctl(option: c_int, value: c_ulong, ...) -> c_int;
    pub(crate) fn setrlimit(resource: c_int, limit: *const Limit) -> c_int;
    pub(crate) fn setitimer(which: c_int, timer: *const Timer, old: *mut Timer) -> c_int;
    pub(crate) fn munmap(address: *mut c_void, len: usize) -> c_int;
    pub(crate) fn mprotect(address: *mut c_void, len: usize, protection: c_int) -> c_int;
    pub(crate) fn madvise(address: *mut c_void, len: usize, advice: c_int) -> c_int;
    pub(crate) fn mremap(
        address: *mut c_void,
        len: usize,
        new_len: usize,
        flags: c_int,
        ...
    ) -> *mut c_void;
    pub(crate) fn usleep(microseconds: c_uint) -> c_int;
    pub(crate) fn syscall(number: c_long, ...) -> c_long;
    pub(crate) fn pthread_self() -> c_ulong;
}

/// A function of the C library that this library replaces, looked up once.
pub(crate) struct Replaced {
    name: &'static CStr,
    address: AtomicUsize,
}

impl Replaced {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self {
            name,
            address: AtomicUsize::new(0),
        }
    }

    /// Returns the address of the C library's own function. The caller knows its type.
    ///
    /// Returns the address of the original function. Without it the process cannot go on: status
    /// 96.
    pub(crate) fn original(&self) -> usize {
        let known = self.address.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        // SAFETY: the name is a C string; the handle asks for the definition after ours.
        let found = unsafe { dlsym(RTLD_NEXT, self.name.as_ptr()) }.addr();
        if found == 0 {
            // SAFETY: it ends the process.
            unsafe { _exit(96) }
        }
        self.address.store(found, Ordering::Relaxed);
        found
    }
}

/// Returns the number of the calling thread.
pub(crate) fn thread_id() -> c_long {
    // SAFETY: no arguments, no effect.
    unsafe { syscall(SYS_GETTID) }
}
