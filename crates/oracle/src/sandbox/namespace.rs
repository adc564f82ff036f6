//! Namespaces: a child's own view of mounts, and a program's own network.
//!
//! Landlock does not know modes, owners, times and attributes of files. In a mount namespace all is
//! read-only but the places to be written, and so are these. The user namespace is what makes the
//! others possible without root; the numbers of user and group stay the same in it. Nobody in them may change them.

use camino::Utf8PathBuf;
use libc::{c_int, c_long, c_uint, c_ulong};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, PipeWriter, Read};
use std::os::fd::{AsRawFd, OwnedFd};

/// More would be odd.
const MOST_MOUNTS: usize = 32;
/// Who makes them does not wait longer, should we hang.
const MOST_SECONDS: c_uint = 60;
/// The longest path that the kernel tells.
const LONGEST_PATH: usize = 4096;

/// What children enter: made once, since a network takes the kernel milliseconds to make and to end.
/// They are there as long as this is.
#[derive(Debug)]
pub(super) struct Namespaces {
    user: OwnedFd,
    mounts: OwnedFd,
    network: Option<OwnedFd>,
}

/// What the child that makes them is told.
struct Plan {
    has_network: bool,
    user: Vec<u8>,
    group: Vec<u8>,
    /// The places to be written, outer ones first.
    writes: Vec<CString>,
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

impl Namespaces {
    /// Those in which only these places can be written.
    ///
    /// # Errors
    /// What the system refuses.
    pub(super) fn new(writes: &[Utf8PathBuf], has_network: bool) -> io::Result<Self> {
        let plan = Plan::new(writes, has_network)?;
        let (reader, writer) = io::pipe()?;
        let maker = Maker::start(&plan, &writer)?;
        drop(writer);
        let mut status = [0];
        File::from(OwnedFd::from(reader)).read_exact(&mut status)?;
        match status {
            [0] => Self::of(maker.0),
            [code] => Err(io::Error::from_raw_os_error(code.into())),
        }
    }

    /// Those of a process that is in them.
    fn of(process: c_int) -> io::Result<Self> {
        let open = |name| File::open(format!("/proc/{process}/ns/{name}")).map(OwnedFd::from);
        // Without a network of its own, it is in the one that is everybody's.
        let network = open("net")?;
        let is_own = rustix::fs::fstat(&network)?.st_ino != inode_of_ours()?;
        Ok(Self {
            user: open("user")?,
            mounts: open("mnt")?,
            network: is_own.then_some(network),
        })
    }

    /// Enters them. Only makes system calls. The directory is the same path in them.
    pub(super) fn enter(&self) -> io::Result<()> {
        let mut dir = [0; LONGEST_PATH];
        get_dir(&mut dir)?;
        for namespace in [Some(&self.user), Some(&self.mounts), self.network.as_ref()] {
            namespace.map_or(Ok(()), set)?;
        }
        set_dir(&dir)
    }
}

fn inode_of_ours() -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(std::fs::metadata("/proc/self/ns/net")?.ino())
}

/// A child that makes them, and waits to be ended.
struct Maker(c_int);

impl Maker {
    /// The child tells the system's error, or zero, as a byte.
    #[expect(unsafe_code, reason = "a child that runs no program is forked by hand")]
    fn start(plan: &Plan, told: &PipeWriter) -> io::Result<Self> {
        // SAFETY: the child only makes system calls and ends; it returns to nobody.
        let child = unsafe { libc::fork() };
        if child != 0 {
            return check(c_long::from(child)).map(|()| Self(child));
        }
        let error = plan.make().err();
        let code = error.map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO));
        let _gone = rustix::io::write(told, &[u8::try_from(code).unwrap_or(u8::MAX)]);
        // SAFETY: numbers. The signal comes when our parent ends, or is told that this one may.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
            libc::alarm(MOST_SECONDS);
            libc::pause();
            libc::_exit(0)
        }
    }
}

impl Drop for Maker {
    #[expect(
        unsafe_code,
        reason = "a child that was forked by hand is ended by hand"
    )]
    fn drop(&mut self) {
        let nothing = std::ptr::null_mut();
        // SAFETY: our own child, which nobody else reaps, and no memory.
        unsafe {
            libc::kill(self.0, libc::SIGKILL);
            while libc::waitpid(self.0, nothing, 0) < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
        }
    }
}

impl Plan {
    fn new(writes: &[Utf8PathBuf], has_network: bool) -> io::Result<Self> {
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
            user: format!("{user} {user} 1\n").into_bytes(),
            group: format!("{group} {group} 1\n").into_bytes(),
            writes: writes.into_iter().map(path).collect::<io::Result<_>>()?,
        })
    }

    /// Makes them around the calling process. Only makes system calls.
    fn make(&self) -> io::Result<()> {
        unshare(self.has_network)?;
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

    /// Makes all mounts read-only but those of the places to be written, which are mounted anew.
    fn mount(&self) -> io::Result<()> {
        let mut trees = [-1; MOST_MOUNTS];
        for (path, tree) in self.writes.iter().zip(&mut trees) {
            *tree = clone_tree(path)?;
        }
        make_read_only()?;
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
fn set(namespace: &OwnedFd) -> io::Result<()> {
    // SAFETY: a descriptor of ours and a number; the child has one thread.
    check(c_long::from(unsafe {
        libc::setns(namespace.as_raw_fd(), 0)
    }))
}

#[expect(unsafe_code, reason = "the safe interface allocates")]
fn get_dir(dir: &mut [u8; LONGEST_PATH]) -> io::Result<()> {
    // SAFETY: a live buffer and its length.
    check(unsafe { libc::syscall(libc::SYS_getcwd, dir.as_mut_ptr(), dir.len()) })
}

/// The same path may lead into another mount by now.
#[expect(unsafe_code, reason = "the safe interface allocates")]
fn set_dir(dir: &[u8; LONGEST_PATH]) -> io::Result<()> {
    // SAFETY: the kernel has ended the path with a zero.
    check(unsafe { libc::syscall(libc::SYS_chdir, dir.as_ptr()) })
}

#[expect(
    unsafe_code,
    reason = "what follows is in other namespaces; only a child calls this"
)]
fn unshare(has_network: bool) -> io::Result<()> {
    let mut flags = libc::CLONE_NEWUSER | libc::CLONE_NEWNS;
    if has_network {
        flags |= libc::CLONE_NEWNET;
    }
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
fn make_read_only() -> io::Result<()> {
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
            c"/".as_ptr(),
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

/// The only interface of a new network.
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

fn check(result: c_long) -> io::Result<()> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
