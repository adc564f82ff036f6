//! Namespaces: a child's own view of mounts and processes, and a program's own network.
//!
//! Landlock does not know modes, owners, times and attributes of files. In a mount namespace all is
//! read-only but the places to be written, and so are these. The user namespace is what makes the
//! others possible without root; the numbers of user and group stay the same in it. Nobody in them may change them.
//! In a process namespace, `/proc` is another one, without the processes outside and their command lines.

mod maker;

use camino::{Utf8Path, Utf8PathBuf};
use libc::{c_int, c_long, c_uint, c_ulong};
use maker::{FirstProcess, Maker};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// More would be odd.
const MOST_MOUNTS: usize = 32;
/// The longest path that the kernel tells.
const LONGEST_PATH: usize = 4096;

/// What children enter: made once, since a network takes the kernel milliseconds to make and to end.
/// They are there as long as this is.
#[derive(Debug)]
pub(super) struct Namespaces {
    user: OwnedFd,
    mounts: OwnedFd,
    network: Option<OwnedFd>,
    processes: Option<Processes>,
}

/// A namespace of processes. It is entered by what is started next.
#[derive(Debug)]
struct Processes {
    namespace: OwnedFd,
    /// Its `/proc`, as it is seen from outside.
    proc: Utf8PathBuf,
    /// Ends, and all others with it, when this is dropped or we end.
    _first: FirstProcess,
}

/// What the child that makes them is told.
struct Plan {
    has_network: bool,
    has_processes: bool,
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
    /// Those in which only these places can be written. Where no other `/proc` may be mounted, as in
    /// many containers, processes are everybody's.
    ///
    /// # Errors
    /// What the system refuses.
    pub(super) fn new(writes: &[Utf8PathBuf], has_network: bool) -> io::Result<Self> {
        let plan = Plan::new(writes, has_network)?;
        Self::with_processes(&plan).or_else(|_| {
            let plan = Plan {
                has_processes: false,
                ..plan
            };
            let maker = Maker::start(&plan)?;
            Self::of(maker.pid())
        })
    }

    /// Those of programs, and what the system refuses of them.
    ///
    /// # Errors
    /// As [`Namespaces::new`], and where there is none of processes.
    pub(super) fn try_all() -> io::Result<Self> {
        Self::with_processes(&Plan::new(&[], true)?)
    }

    fn with_processes(plan: &Plan) -> io::Result<Self> {
        let first = Maker::start(plan)?.wait_for_first()?;
        let mut namespaces = Self::of(first.pid())?;
        let namespace = File::open(format!("/proc/{}/ns/pid", first.pid()))?.into();
        namespaces.processes = Some(Processes {
            namespace,
            proc: format!("/proc/{}/root/proc", first.pid()).into(),
            _first: first,
        });
        Ok(namespaces)
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
            processes: None,
        })
    }

    /// The `/proc` that belongs to them, if they have one.
    pub(super) fn proc(&self) -> Option<&Utf8Path> {
        let processes = self.processes.as_ref();
        processes.map(|processes| processes.proc.as_path())
    }

    /// Enters them. Only makes system calls. The directory is the same path in them.
    pub(super) fn enter(&self) -> io::Result<()> {
        let mut dir = [0; LONGEST_PATH];
        get_dir(&mut dir)?;
        let processes = self.processes.as_ref().map(|one| &one.namespace);
        let here = [Some(&self.user), Some(&self.mounts), self.network.as_ref()];
        for namespace in here.into_iter().chain([processes]) {
            namespace.map_or(Ok(()), set)?;
        }
        set_dir(&dir)
    }
}

fn inode_of_ours() -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(std::fs::metadata("/proc/self/ns/net")?.ino())
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
            has_processes: true,
            user: format!("{user} {user} 1\n").into_bytes(),
            group: format!("{group} {group} 1\n").into_bytes(),
            writes: writes.into_iter().map(path).collect::<io::Result<_>>()?,
        })
    }

    /// Makes them around the calling process. Only makes system calls.
    fn make(&self) -> io::Result<()> {
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

/// Mounts the `/proc` of the process namespace that the calling process is the first one of, over the
/// one that is everybody's. Others see only those processes in it that they could trace.
#[expect(unsafe_code, reason = "no safe interface to `mount`")]
fn mount_proc() -> io::Result<()> {
    let (kind, place) = (c"proc".as_ptr(), c"/proc".as_ptr());
    let flags = libc::MS_RDONLY | libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let options = c"hidepid=ptraceable".as_ptr().cast();
    // SAFETY: strings that end with a zero, and a number.
    let done = unsafe { libc::mount(kind, place, kind, flags, options) };
    check(c_long::from(done))
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
