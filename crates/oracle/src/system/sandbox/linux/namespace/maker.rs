//! The processes that make namespaces, and the one that keeps a namespace of processes alive.
//!
//! The maker is forked, sets everything up around itself, tells how that went, and waits to be ended:
//! what is open keeps its namespaces alive. A namespace of processes is there as long as its first
//! process is. So there the maker starts that one, as our child, and ends. When the first process ends,
//! the kernel ends all others in the namespace; and it ends when we do.

use super::plan::{Plan, check, mount_proc};
use crate::system::process::BlockedSignals;
use libc::{c_int, c_uint};
use reduce_platform::processes::close_from;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsRawFd, OwnedFd};

/// The longest life of the process that makes namespaces, should it hang.
const MOST_SECONDS: c_uint = 60;
/// The number of pieces of memory that the first process of a namespace unmaps; a process of ours has some dozens.
const MOST_PIECES: usize = 512;

/// A child that makes namespaces.
pub(super) struct Maker {
    process: Process,
    /// The pipe on which the first process of the namespace tells that it is ready.
    first_told: File,
    /// The number of the first process of the process namespace, if there is to be one.
    first: c_int,
    /// The write end of the pipe that keeps the first process of the namespace alive.
    lifeline: PipeWriter,
}

/// The ends of pipes that the maker and the first process of the namespace hold.
struct Ends {
    tells: PipeWriter,
    first_tells: PipeWriter,
    lifeline: PipeReader,
}

/// The first process of a namespace. It reaps whoever has lost its parent there.
#[derive(Debug)]
pub(super) struct FirstProcess {
    process: Process,
    /// The pipe that keeps the process alive: it ends when nobody holds this any more.
    _lifeline: PipeWriter,
}

impl Maker {
    /// Starts the maker and waits until the namespaces are there.
    ///
    /// # Errors
    /// That of the system call that was refused.
    pub(super) fn start(plan: &Plan) -> io::Result<Self> {
        let (told, tells) = io::pipe()?;
        let (first_told, first_tells) = io::pipe()?;
        let (lifeline_end, lifeline) = io::pipe()?;
        let ends = Ends {
            tells,
            first_tells,
            lifeline: lifeline_end,
        };
        let memory = Memory::of_ours();
        let signals = BlockedSignals::new()?;
        let process = match fork(0)? {
            0 => make(plan, &ends, &memory),
            child => Process(child),
        };
        drop((signals, ends));
        Ok(Self {
            process,
            first: hear(&mut File::from(OwnedFd::from(told)))?,
            first_told: File::from(OwnedFd::from(first_told)),
            lifeline,
        })
    }

    /// Returns the number of the process that makes the namespaces.
    pub(super) fn pid(&self) -> c_int {
        self.process.0
    }

    /// Returns the first process of the namespace, once it is ready.
    ///
    /// # Errors
    /// That of the system call that was refused.
    pub(super) fn wait_for_first(mut self) -> io::Result<FirstProcess> {
        let process = Process(self.first);
        hear(&mut self.first_told)?;
        Ok(FirstProcess {
            process,
            _lifeline: self.lifeline,
        })
    }
}

/// Reads the next number that a process tells; negative ones are errors.
fn hear(told: &mut File) -> io::Result<c_int> {
    let mut word = [0; size_of::<c_int>()];
    told.read_exact(&mut word)?;
    match c_int::from_ne_bytes(word) {
        error if error < 0 => Err(io::Error::from_raw_os_error(-error)),
        number => Ok(number),
    }
}

impl FirstProcess {
    /// Returns the number of the process as it is known outside.
    pub(super) fn pid(&self) -> c_int {
        self.process.0
    }
}

/// A child that is ended and reaped when this is dropped.
#[derive(Debug)]
struct Process(c_int);

impl Drop for Process {
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

/// Starts a copy of the calling process. Zero in the copy.
#[expect(unsafe_code, reason = "a child that runs no program is forked by hand")]
fn fork(flags: c_int) -> io::Result<c_int> {
    let flags = libc::c_ulong::from((flags | libc::SIGCHLD).cast_unsigned());
    // SAFETY: nothing is shared; both only make system calls until the copy ends.
    let child =
        unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, 0_usize, 0_usize, 0_usize) };
    check(child)?;
    c_int::try_from(child).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Runs the process that makes the namespaces. It only makes system calls and returns to nobody.
fn make(plan: &Plan, ends: &Ends, memory: &Memory) -> ! {
    let tells = &ends.tells;
    match plan.make() {
        Err(error) => tell(tells, -number(&error)),
        Ok(()) if plan.has_processes => match fork(libc::CLONE_PARENT) {
            Ok(0) => be_first(plan, ends, memory),
            Ok(first) => tell(tells, first),
            Err(error) => tell(tells, -number(&error)),
        },
        Ok(()) => {
            tell(tells, 0);
            wait_to_be_ended()
        }
    }
    exit()
}

fn tell(tells: &PipeWriter, word: c_int) {
    let _gone = rustix::io::write(tells, &word.to_ne_bytes());
}

fn number(error: &io::Error) -> c_int {
    error.raw_os_error().unwrap_or(libc::EIO)
}

#[expect(unsafe_code, reason = "a child that was forked by hand waits by hand")]
fn wait_to_be_ended() {
    // SAFETY: numbers. The signal comes when our parent ends, or is told that this one may.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        libc::alarm(MOST_SECONDS);
        libc::pause();
    }
}

/// Runs the first process, which does nothing until its lifeline ends. All signals are blocked; the kernel
/// reaps for it, as it wants to know nothing of its children. It keeps none of our descriptors, and none
/// of the memory that is ours: it may live long.
fn be_first(plan: &Plan, ends: &Ends, memory: &Memory) -> ! {
    let mounted = mount_proc(plan);
    let word = mounted.as_ref().err().map_or(0, |error| -number(error));
    tell(&ends.first_tells, word);
    if mounted.is_err() {
        exit()
    }
    ignore_children();
    let lifeline = keep_only(&ends.lifeline);
    memory.let_go();
    while let -1 | 1.. = read_byte(lifeline) {}
    exit()
}

#[expect(unsafe_code, reason = "no safe interface to the actions of signals")]
fn ignore_children() {
    // SAFETY: numbers.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// Closes all descriptors but the pipe, which becomes the first one, and returns that.
#[expect(unsafe_code, reason = "descriptors of unknown owners are closed")]
fn keep_only(lifeline: &PipeReader) -> c_int {
    // SAFETY: numbers of this process's own table, in which nobody else looks anything up.
    unsafe { libc::dup2(lifeline.as_raw_fd(), 0) };
    close_from(1);
    0
}

/// Reads a byte from a descriptor; -1 is an error.
#[expect(unsafe_code, reason = "the descriptor is a number by now")]
fn read_byte(descriptor: c_int) -> isize {
    let mut byte = 0_u8;
    // SAFETY: one live byte.
    unsafe { libc::read(descriptor, (&raw mut byte).cast(), 1) }
}

#[expect(
    unsafe_code,
    reason = "a copy of our process must not run what runs at its end"
)]
fn exit() -> ! {
    // SAFETY: it ends the process.
    unsafe { libc::_exit(0) }
}

/// The pieces of our memory that a process does not need if it only makes system calls: all that is no file's, but
/// for the calling thread's stack and its own variables.
struct Memory {
    pieces: [(usize, usize); MOST_PIECES],
}

impl Memory {
    fn of_ours() -> Self {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let mut memory = Self {
            pieces: [(0, 0); MOST_PIECES],
        };
        let kept = [(&raw const memory).addr(), variable_of_thread()];
        let pieces = maps.lines().filter_map(piece);
        let pieces = pieces.filter(|(from, to)| !kept.iter().any(|at| (from..to).contains(&at)));
        for (place, piece) in memory.pieces.iter_mut().zip(pieces) {
            *place = piece;
        }
        memory
    }

    #[expect(unsafe_code, reason = "no safe interface to give memory back")]
    fn let_go(&self) {
        for (from, to) in self.pieces {
            let start = std::ptr::without_provenance_mut(from);
            // SAFETY: this process only makes system calls from now on, with what is on its stack.
            unsafe { libc::madvise(start, to - from, libc::MADV_DONTNEED) };
        }
    }
}

/// Returns the address of the calling thread's variables.
#[expect(
    unsafe_code,
    reason = "the one variable of a thread that is always there"
)]
fn variable_of_thread() -> usize {
    // SAFETY: it gives the address of this thread's error number.
    unsafe { libc::__errno_location() }.addr()
}

/// Returns the beginning and end of a line of `/proc/self/maps` that is private memory without a file.
fn piece(line: &str) -> Option<(usize, usize)> {
    let mut words = line.split_ascii_whitespace();
    let (from, to) = words.next()?.split_once('-')?;
    let is_writable = words.next()? == "rw-p";
    let mut rest = words.skip(2);
    let is_no_files = rest.next()? == "0";
    let name = rest.next();
    let is_free = name.is_none_or(|name| name == "[heap]" || name.starts_with("[anon"));
    let address = |text| usize::from_str_radix(text, 16).ok();
    (is_writable && is_no_files && is_free).then_some((address(from)?, address(to)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_without_a_file_and_without_a_stack_is_let_go() {
        let check = |line: &str, expected| assert_eq!(piece(line), expected, "{line}");
        check("1000-3000 rw-p 00000000 00:00 0 ", Some((0x1000, 0x3000)));
        check(
            "1000-3000 rw-p 00000000 00:00 0 [heap]",
            Some((0x1000, 0x3000)),
        );
        check("1000-3000 rw-p 00000000 00:00 0 [stack]", None);
        check("1000-3000 r--p 00000000 00:00 0 [vvar]", None);
        check("1000-3000 rw-s 00000000 00:01 7 /memfd:x (deleted)", None);
        check("1000-3000 rw-p 00000000 08:01 7 /usr/lib/libc.so.6", None);
        check("nonsense", None);
    }

    #[test]
    fn the_own_stack_is_kept() {
        let memory = Memory::of_ours();
        let here = (&raw const memory).addr();
        let pieces = memory.pieces.iter().filter(|(from, _)| *from != 0);
        assert!(pieces.clone().count() > 0);
        assert!(
            pieces
                .clone()
                .all(|(from, to)| !(*from..*to).contains(&here))
        );
    }
}
