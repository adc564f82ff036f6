//! Makes namespaces, which give a child its own view of mounts and processes, and a program its own network.
//!
//! Landlock does not know modes, owners, times and attributes of files. In a mount namespace all is
//! read-only but the places to be written, and so are these. The user namespace is what makes the
//! others possible without root; the numbers of user and group stay the same in it. Nobody in them may change them.
//! In a process namespace, `/proc` is another one, without the processes outside and their command lines.

mod maker;
mod plan;

use camino::{Utf8Path, Utf8PathBuf};
use libc::{c_int, c_long};
use maker::{FirstProcess, Maker};
use plan::{Plan, check};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// The longest path that the kernel tells.
const LONGEST_PATH: usize = 4096;

/// The namespaces that children enter: made once, since a network takes the kernel milliseconds to make and to end.
/// They exist as long as this value does.
#[derive(Debug)]
pub(super) struct Namespaces {
    user: OwnedFd,
    mounts: OwnedFd,
    network: Option<OwnedFd>,
    processes: Option<Processes>,
}

/// A namespace of processes, which holds for the process that is started next.
#[derive(Debug)]
struct Processes {
    namespace: OwnedFd,
    /// The `/proc` of the process namespace, as it is seen from outside.
    proc: Utf8PathBuf,
    /// The first process of the namespace: it ends, and all others with it, when this is dropped or we end.
    _first: FirstProcess,
}

impl Namespaces {
    /// Makes namespaces in which only the places of `writes` can be written. Where no other `/proc` may be mounted,
    /// as in many containers, processes are everybody's.
    ///
    /// # Errors
    /// That of the system call that was refused.
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

    /// Makes the namespaces of programs, or returns the error by which the system refuses them.
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

    /// Opens the namespaces of a process as descriptors.
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

    /// Returns the `/proc` that belongs to the namespaces, if they have one.
    pub(super) fn proc(&self) -> Option<&Utf8Path> {
        let processes = self.processes.as_ref();
        processes.map(|processes| processes.proc.as_path())
    }

    /// Enters the namespaces. Only makes system calls. The directory is the same path in them.
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

/// Changes into a directory by its path, which may lead into another mount by now.
#[expect(unsafe_code, reason = "the safe interface allocates")]
fn set_dir(dir: &[u8; LONGEST_PATH]) -> io::Result<()> {
    // SAFETY: the kernel has ended the path with a zero.
    check(unsafe { libc::syscall(libc::SYS_chdir, dir.as_ptr()) })
}
