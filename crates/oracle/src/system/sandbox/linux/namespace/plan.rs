//! The plan of the child that makes namespaces, and the steps by which the child makes them around
//! itself.

use camino::Utf8PathBuf;
use libc::{c_int, c_long, c_uint, c_ulong};
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::AsRawFd;

/// The largest number of mounts for which there is room: more would be odd.
const MOST_MOUNTS: usize = 32;

/// The most processes and threads that a namespace of processes may have at a time.
const MOST_PROCESSES: &[u8] = b"2048\n";
/// The first version of the kernel in which `pid_max` is that of the namespace. In older ones it is that of the whole system,
/// which root may change from anywhere.
const FIRST_WITH_OWN_MOST: (u32, u32) = (6, 14);

/// The settings by which a child makes namespaces around itself.
pub(super) struct Plan {
    pub(super) has_network: bool,
    pub(super) has_processes: bool,
    /// Whether a namespace of processes can have a limit of their number.
    pub(super) limits_processes: bool,
    pub(super) user: Vec<u8>,
    pub(super) group: Vec<u8>,
    /// The places that may be written, outer ones before inner ones.
    pub(super) writes: Vec<CString>,
}

/// The layout of the argument of `mount_setattr`.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    namespace: u64,
}

const READ_ONLY: u64 = 1;
const RECURSIVE: c_int = 0x8000;
const CLONE_TREE: c_int = 1;
const EMPTY_PATH: c_uint = 4;

impl Plan {
    pub(super) fn new(writes: &[Utf8PathBuf], has_network: bool) -> io::Result<Self> {
        let mut writes = writes.to_vec();
        writes.sort();
        writes.dedup();
        if writes.len() > MOST_MOUNTS {
            return Err(io::Error::other("there are too many places to be written"));
        }
        let path = |path: Utf8PathBuf| CString::new(path.into_string()).map_err(io::Error::other);
        let user = rustix::process::geteuid().as_raw();
        let group = rustix::process::getegid().as_raw();
        Ok(Self {
            has_network,
            has_processes: true,
            limits_processes: version_of_kernel() >= Some(FIRST_WITH_OWN_MOST),
            user: format!("{user} {user} 1\n").into_bytes(),
            group: format!("{group} {group} 1\n").into_bytes(),
            writes: writes.into_iter().map(path).collect::<io::Result<_>>()?,
        })
    }

    /// Makes the namespaces around the calling process. Only makes system calls.
    pub(super) fn make(&self) -> io::Result<()> {
        unshare(self.flags())?;
        write(c"/proc/self/setgroups", b"deny")?;
        write(c"/proc/self/uid_map", &self.user)?;
        write(c"/proc/self/gid_map", &self.group)?;
        self.mount()?;
        if self.has_network {
            raise_loopback()
        } else {
            Ok(())
        }
    }

    fn flags(&self) -> c_int {
        let mut flags = libc::CLONE_NEWUSER | libc::CLONE_NEWNS;
        if self.has_network {
            flags |= libc::CLONE_NEWNET;
        }
        if self.has_processes {
            flags |= libc::CLONE_NEWPID;
        }
        flags
    }

    /// Makes all mounts read-only but those of the places to be written, which are mounted anew.
    fn mount(&self) -> io::Result<()> {
        let mut trees = [-1; MOST_MOUNTS];
        for (path, tree) in self.writes.iter().zip(&mut trees) {
            *tree = clone_tree(path)?;
        }
        make_read_only(c"/")?;
        for (path, tree) in self.writes.iter().zip(trees) {
            attach_tree(tree, path)?;
        }
        Ok(())
    }
}

#[expect(
    unsafe_code,
    reason = "what follows is in other namespaces; only a child calls this"
)]
fn unshare(flags: c_int) -> io::Result<()> {
    // SAFETY: a number; the child has one thread.
    check(c_long::from(unsafe { libc::unshare(flags) }))
}

fn write(path: &CStr, text: &[u8]) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags, open};
    let file = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(&file, text)?;
    Ok(())
}

#[expect(unsafe_code, reason = "no safe interface to `open_tree`")]
fn clone_tree(path: &CStr) -> io::Result<c_int> {
    let flags = CLONE_TREE | RECURSIVE | libc::O_CLOEXEC;
    // SAFETY: a string that ends with a zero, and numbers.
    let tree = unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, path.as_ptr(), flags) };
    check(tree)?;
    c_int::try_from(tree).map_err(|_| io::ErrorKind::InvalidData.into())
}

#[expect(unsafe_code, reason = "no safe interface to `mount_setattr`")]
fn make_read_only(path: &CStr) -> io::Result<()> {
    let attributes = MountAttributes {
        set: READ_ONLY,
        clear: 0,
        propagation: libc::MS_PRIVATE,
        namespace: 0,
    };
    // SAFETY: a string that ends with a zero, and a structure as the kernel defines it, with its size.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            RECURSIVE,
            &raw const attributes,
            size_of::<MountAttributes>(),
        )
    })
}

#[expect(unsafe_code, reason = "no safe interface to `move_mount`")]
fn attach_tree(tree: c_int, path: &CStr) -> io::Result<()> {
    let (here, nothing) = (libc::AT_FDCWD, c"".as_ptr());
    // SAFETY: strings that end with a zero, a descriptor of ours, and numbers.
    check(unsafe {
        let (call, to) = (libc::SYS_move_mount, path.as_ptr());
        libc::syscall(call, tree, nothing, here, to, EMPTY_PATH)
    })
}

/// Mounts the `/proc` of a new process namespace over the system's one, in the first process of that namespace, which gets
/// its limit of processes through it. Others see only those processes in it that they could trace.
///
/// The limit holds for root too, and also where more are started than anybody can look at. Where it cannot be set, runs are
/// looked at now and then.
pub(super) fn mount_proc(plan: &Plan) -> io::Result<()> {
    if !plan.limits_processes {
        return mount_proc_with(libc::MS_RDONLY);
    }
    mount_proc_with(0)?;
    let _left_as_it_is = write(c"/proc/sys/kernel/pid_max", MOST_PROCESSES);
    make_read_only(c"/proc")
}

#[expect(unsafe_code, reason = "no safe interface to `mount`")]
fn mount_proc_with(flags: c_ulong) -> io::Result<()> {
    let (kind, place) = (c"proc".as_ptr(), c"/proc".as_ptr());
    let flags = flags | libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let options = c"hidepid=ptraceable".as_ptr().cast();
    // SAFETY: strings that end with a zero, and a number.
    let done = unsafe { libc::mount(kind, place, kind, flags, options) };
    check(c_long::from(done))
}

/// Returns the two first numbers of the kernel's version, such as 6 and 14.
fn version_of_kernel() -> Option<(u32, u32)> {
    parse_version(rustix::system::uname().release().to_str().ok()?)
}

fn parse_version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|one: char| !one.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Turns on the loopback interface of a new network namespace.
#[expect(unsafe_code, reason = "no safe interface to set an interface's flags")]
fn raise_loopback() -> io::Result<()> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
    let kind = (SocketType::DGRAM, SocketFlags::CLOEXEC);
    let socket = socket_with(AddressFamily::INET, kind.0, kind.1, None)?;
    // SAFETY: an all-zero request is valid, it consists of numbers and a union of such.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, byte) in request.ifr_name.iter_mut().zip(b"lo") {
        *place = byte.cast_signed();
    }
    request.ifr_ifru.ifru_flags =
        libc::c_short::try_from(libc::IFF_UP | libc::IFF_RUNNING).expect("two low bits fit");
    // SAFETY: a socket of ours, and a request that the kernel only reads.
    let done = unsafe {
        let call = libc::SIOCSIFFLAGS as c_ulong;
        libc::ioctl(socket.as_raw_fd(), call as _, &raw const request)
    };
    check(c_long::from(done))
}

/// Returns the error of the last system call, where it failed.
pub(super) fn check(result: c_long) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_kernel_has_two_numbers_in_front() {
        for (release, expected) in [
            ("6.18.44-fc-v657", Some((6, 18))),
            ("6.14", Some((6, 14))),
            ("5.15.0-generic", Some((5, 15))),
            ("6", None),
            ("next", None),
        ] {
            assert_eq!(parse_version(release), expected, "{release}");
        }
    }
}
