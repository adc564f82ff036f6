//! Open files, sockets and pipes that a process was given by whoever started it: a shell, an editor, a
//! test runner. A child of ours gets none of them but those that it is handed on purpose.

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Resource, getrlimit};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// The first descriptor that is none of the three standard streams.
const FIRST: RawFd = 3;
/// The flag `CLOSE_RANGE_CLOEXEC` of the system call `close_range`: the descriptors are closed when the next program starts.
const MARK: libc::c_uint = 4;
/// The number of descriptors that are tried where there is neither `/proc` nor the system call.
const MOST_TRIED: u64 = 1 << 16;

/// Marks all descriptors of the calling process but its standard streams, so that they are closed when
/// its next program starts. Until then they work. Makes only system calls that are safe in a signal
/// handler.
///
/// # Errors
/// Where a list of the descriptors cannot be read.
pub fn close_on_exec() -> io::Result<()> {
    match close_range(FIRST, MARK) {
        Ok(()) => Ok(()),
        // A kernel before 5.11, or a container's filter that does not know the call.
        Err(_) => mark_each(),
    }
}

/// Closes all descriptors from `first` on, at once where the kernel can, else one by one. For a process
/// that was forked from ours and goes on without what it got by that.
#[expect(unsafe_code, reason = "descriptors of unknown owners are closed")]
pub fn close_from(first: RawFd) {
    if close_range(first, 0).is_err() {
        // SAFETY: numbers, and nobody in this process uses them again.
        for_each_possible(first, |descriptor| unsafe {
            libc::close(descriptor);
        });
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe interface to `close_range`")]
fn close_range(first: RawFd, flags: libc::c_uint) -> io::Result<()> {
    // SAFETY: numbers. What is marked stays open; what is closed is nobody's, see `close_from`.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, RawFd::MAX, flags) };
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
fn close_range(_: RawFd, _: libc::c_uint) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Goes through the list of open descriptors.
#[cfg(target_os = "linux")]
fn mark_each() -> io::Result<()> {
    use rustix::fs::{CWD, Mode, OFlags, RawDir, openat};
    use std::mem::MaybeUninit;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(list) = openat(CWD, c"/proc/self/fd", flags, Mode::empty()) else {
        for_each_possible(FIRST, mark);
        return Ok(());
    };
    let mut space = [MaybeUninit::<u8>::uninit(); 4096];
    let mut entries = RawDir::new(&list, &mut space);
    while let Some(entry) = entries.next() {
        let number = number(entry?.file_name().to_bytes());
        if let Some(descriptor) = number.filter(|number| *number >= FIRST) {
            mark(descriptor);
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the list of descriptors that Linux has may not be readable"
)]
fn mark_each() -> io::Result<()> {
    for_each_possible(FIRST, mark);
    Ok(())
}

fn for_each_possible(first: RawFd, act: impl FnMut(RawFd)) {
    let most = getrlimit(Resource::Nofile).current.unwrap_or(MOST_TRIED);
    let most = RawFd::try_from(most.min(MOST_TRIED)).unwrap_or(RawFd::MAX);
    (first..most).for_each(act);
}

#[expect(unsafe_code, reason = "descriptors of unknown owners are marked")]
fn mark(descriptor: RawFd) {
    // SAFETY: a flag is set on a number that may be no descriptor, which is an error without effect.
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let _closed = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
}

#[cfg(target_os = "linux")]
fn number(name: &[u8]) -> Option<RawFd> {
    std::str::from_utf8(name).ok()?.parse().ok()
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::fcntl_getfd;
    use std::fs::File;

    /// A descriptor that programs inherit.
    fn inherited() -> File {
        let file = File::open("/dev/null").unwrap();
        fcntl_setfd(&file, FdFlags::empty()).unwrap();
        file
    }

    #[test]
    fn a_kernel_without_the_call_has_each_descriptor_marked() {
        let file = inherited();
        mark_each().unwrap();
        assert_eq!(fcntl_getfd(&file).unwrap(), FdFlags::CLOEXEC);
        assert_eq!(
            fcntl_getfd(std::io::stderr()).unwrap(),
            FdFlags::empty(),
            "programs keep their standard streams"
        );
    }

    #[test]
    fn only_names_of_descriptors_are_numbers() {
        assert_eq!(number(b"17"), Some(17));
        assert_eq!(number(b".."), None);
        assert_eq!(number(b"\xff"), None);
    }
}
