//! Confines processes on Linux.
//!
//! A [`Confinement`] is made once, before the children are forked; a child only makes system calls to put it on. It has layers:
//!
//! - Landlock (`landlock`): which files can be read and written; memory, environment and signals of
//!   others are out of reach, as far as the kernel knows these rights.
//! - seccomp (`seccomp`): a list of system calls that fail with `EPERM`. A program can go on after it.
//! - Namespaces (`namespace`), where the system allows them: all but the scratch directories is
//!   mounted read-only, since Landlock does not know modes, owners and times of files; programs that
//!   are run have a network of their own with nothing but the loopback; and `/proc` shows no process
//!   but those that a run has started itself.
//! - No capabilities: root is a user like others. No new privileges: setuid programs are programs.
//! - Limits while it runs ([`Allowance`]), for what the kernel's own limits do not count.
//!
//! # What is refused everywhere
//! Network beyond the loopback; sockets of the file system (`AF_UNIX`), but for pairs of connected
//! streams; leaving the process group; signals to and inspection of processes outside; mounts, new
//! namespaces, siblings in place of children, tracing and hiding from it, `io_uring`, keys, BPF; System V IPC and
//! message queues; system calls of other architectures and of x32.
//!
//! # What is not stopped
//! Names, sizes and times of files anywhere can be seen. CPU and I/O are taken from others up to the
//! limits. Without namespaces, a compiler can change the modes of the user's own files. Where no `/proc` may
//! be mounted, as in many containers, the command lines of all processes can be read. What stands
//! in a scratch directory afterwards may be anything, such as a symbolic link to elsewhere or a pipe:
//! whoever is not confined must not follow or open it unseen. A scratch directory that is made anew is
//! not the one that was allowed.

mod landlock;
mod missing;
mod namespace;
mod privileges;
mod seccomp;

pub use missing::missing;

use super::{Places, SandboxMode};
use camino::{Utf8Path, Utf8PathBuf};
use namespace::Namespaces;
use seccomp::{Filter, Rules, Signals, Sockets};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// The share of the system's resources that all confined processes of a run together may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// The number of processes and threads that may be started in addition to those at the start of the run.
    pub(crate) threads: u64,
    /// The number of bytes that the run may use of the memory that is available at its start.
    pub(crate) memory_bytes: u64,
    /// The number of bytes that the run may use of the disk space that is free at its start, in the file system of
    /// the scratch.
    pub(crate) disk_bytes: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            threads: 4096,
            memory_bytes: u64::MAX,
            disk_bytes: 2 << 30,
        }
    }
}

/// The confinement that a child puts on before its program starts. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Confinement {
    layers: Arc<Layers>,
    allowance: Allowance,
    scratch: Option<Utf8PathBuf>,
}

#[derive(Debug)]
struct Layers {
    namespaces: Option<Namespaces>,
    files: Option<OwnedFd>,
    filter: Filter,
    /// The filter of system calls for a fork server, which puts each of its children in a group.
    filter_of_server: Filter,
    /// Whether the process runs at a lower priority than others: one that starts processes without end should be
    /// ended by those that watch it.
    gives_way: bool,
    /// Whether signals are refused by the number of the process that they are for, so that a fork could not send itself
    /// one.
    knows_numbers: bool,
}

/// The niceness of programs: they run at a lower priority, so that the supervisor stays responsive.
const NICER: i32 = 10;

/// The kind of a confined process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    is_program: bool,
    /// Whether the process has a network of its own.
    has_sockets: bool,
}

/// The position of a confined child among the process groups of its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The leader of a group in which all of its children stay.
    Leader,
    /// A server, which puts each child in a group of its own, and keeps it from leaving that.
    Server,
}

impl Confinement {
    /// Makes the confinement of rustc, cargo and rustfmt, which run procedural macros, build scripts and linkers: no network at
    /// all. `None` if the sandbox is off.
    ///
    /// # Errors
    /// When the system lacks what the mode needs, see [`missing()`].
    pub(crate) fn of_compiler(mode: SandboxMode, places: &Places) -> io::Result<Option<Self>> {
        Self::new(mode, places, false)
    }

    /// Makes the confinement of a compiled candidate: a network of its own, where the system allows it and the mode is not
    /// strict. `None` if the sandbox is off.
    ///
    /// # Errors
    /// As [`Confinement::of_compiler`].
    pub(crate) fn of_program(mode: SandboxMode, places: &Places) -> io::Result<Option<Self>> {
        Self::new(mode, places, true)
    }

    fn new(mode: SandboxMode, places: &Places, is_program: bool) -> io::Result<Option<Self>> {
        if mode == SandboxMode::Off {
            return Ok(None);
        }
        missing::refuse(mode)?;
        let existing = existing(places);
        let namespaces = match Namespaces::new(&existing.writes, is_program) {
            Ok(namespaces) => Some(namespaces),
            Err(error) if mode == SandboxMode::Strict => return Err(error),
            Err(_) => None,
        };
        let kind = Kind {
            is_program,
            has_sockets: is_program && mode != SandboxMode::Strict,
        };
        Self::of_layers(kind, &existing, landlock::abi(), namespaces).map(Some)
    }

    fn of_layers(
        kind: Kind,
        places: &Places,
        abi: i32,
        namespaces: Option<Namespaces>,
    ) -> io::Result<Self> {
        let rules = rules(kind, abi, namespaces.is_some());
        let has_network = rules.sockets == Sockets::Own;
        let of_server = Rules {
            leads_groups: true,
            ..rules
        };
        let own_proc = namespaces.as_ref().and_then(Namespaces::proc);
        let proc = own_proc.unwrap_or(Utf8Path::new("/proc")).to_owned();
        let layers = Layers {
            namespaces,
            files: landlock::ruleset(places, &proc, has_network, abi)?,
            filter: Filter::new(rules)?,
            filter_of_server: Filter::new(of_server)?,
            gives_way: kind.is_program,
            knows_numbers: rules.signals == Signals::ByNumber,
        };
        Ok(Self {
            layers: Arc::new(layers),
            allowance: Allowance::default(),
            scratch: places.writes.first().cloned(),
        })
    }

    /// Returns the share of the system's resources that the processes of the run may take.
    pub(crate) fn allowance(&self) -> Allowance {
        self.allowance
    }

    /// Returns a directory in the file system that the processes of the run must not fill.
    pub(crate) fn scratch(&self) -> Option<&Utf8PathBuf> {
        self.scratch.as_ref()
    }

    /// Whether a confined process may be forked to run, and is then as one that was started.
    pub(crate) fn allows_forks(&self) -> bool {
        !self.layers.knows_numbers
    }

    /// Enters the namespaces, as the first step of the confinement in the child. Makes only system calls that are
    /// safe in a signal handler. A setting of a process with its privileges, such as the parent-death signal, is lost
    /// with it.
    pub(crate) fn isolate(&self) -> io::Result<()> {
        self.layers
            .namespaces
            .as_ref()
            .map_or(Ok(()), Namespaces::enter)
    }

    /// Whether the children of an isolated child are in a process namespace, in which the child itself is not.
    pub(crate) fn has_processes(&self) -> bool {
        let namespaces = self.layers.namespaces.as_ref();
        namespaces.is_some_and(|namespaces| namespaces.proc().is_some())
    }

    /// Lowers the priority, gives up privileges, and limits files and system calls, as the last step in the child
    /// before its program. Makes only system calls as [`Self::isolate`].
    pub(crate) fn restrict(&self, role: Role) -> io::Result<()> {
        if self.layers.gives_way {
            rustix::process::nice(NICER)?;
        }
        privileges::drop_all()?;
        if let Some(files) = &self.layers.files {
            landlock::restrict(files)?;
        }
        match role {
            Role::Leader => self.layers.filter.install(),
            Role::Server => self.layers.filter_of_server.install(),
        }
    }
}

/// Returns what the filter of system calls must refuse because the other layers of the sandbox do not.
fn rules(kind: Kind, abi: i32, has_namespaces: bool) -> Rules {
    let sockets = match has_namespaces && kind.has_sockets {
        true => Sockets::Own,
        false => Sockets::Pairs,
    };
    let signals = match abi >= landlock::SCOPES {
        true => Signals::Free,
        false => Signals::ByNumber,
    };
    Rules {
        sockets,
        signals,
        has_own_mounts: has_namespaces,
        has_truncate: abi >= landlock::TRUNCATE,
        is_program: kind.is_program,
        leads_groups: false,
    }
}

/// Returns the places without those that do not exist.
fn existing(places: &Places) -> Places {
    let of = |paths: &[Utf8PathBuf]| -> Vec<Utf8PathBuf> {
        let existing = paths
            .iter()
            .filter(|path| path.is_absolute() && path.exists());
        existing.cloned().collect()
    };
    Places {
        reads: of(&places.reads),
        writes: of(&places.writes),
        closed: places.closed.clone(),
    }
}

#[cfg(test)]
mod tests;
