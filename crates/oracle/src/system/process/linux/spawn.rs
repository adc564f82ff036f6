//! Starts a program, from the fork to its first instruction.
//!
//! The child is a copy of ours until its program starts, and the calling thread waits for that. It only
//! makes system calls, with all signals blocked, since other threads may have held any lock.
//!
//! A process namespace holds for what a process starts next. So where there is one, the child starts
//! another that takes its place and is our child as well (`CLONE_PARENT`): what we signal, wait for and
//! measure is the program itself, and the first child is gone before it runs. The second one borrows
//! the memory of the first, as `posix_spawn` does it: a second copy would cost as much as the first.

mod limits;
mod memory;
mod signals;

pub(crate) use signals::BlockedSignals;

use crate::system::process::invocation::{Bounds, Invocation};
use crate::system::sandbox::{Confinement, Role};
use camino::Utf8PathBuf;
use libc::{c_char, c_int, c_void};
use memory::{SharedTold, Stack};
use reduce_platform::processes::{close_on_exec, places_of_program, start_when_free};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal, setpgid};
use signals::reset_signals;
use std::convert::Infallible;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::ptr::null;
use std::sync::atomic::Ordering::SeqCst;

/// Starts a program in a process group of its own, with this input or none, with these output streams, and with
/// `inherited` among its descriptors. Returns its process, which is ours to be reaped.
///
/// # Errors
/// That of the first system call that was refused, up to the start of the program itself.
pub(super) fn spawn(
    invocation: &Invocation<'_>,
    input: Option<&OwnedFd>,
    streams: [&OwnedFd; 2],
    inherited: Option<&OwnedFd>,
) -> io::Result<Pid> {
    let words = Words::of(invocation)?;
    let nothing = File::open("/dev/null")?;
    let (inner_stack, told) = (Stack::new(), SharedTold::new()?);
    let start = Start {
        words: &words,
        bounds: &invocation.bounds,
        confinement: invocation.confinement,
        streams: [
            input.map_or(nothing.as_raw_fd(), AsRawFd::as_raw_fd),
            streams[0].as_raw_fd(),
            streams[1].as_raw_fd(),
        ],
        inherited: inherited.map(AsRawFd::as_raw_fd),
        parent: getpid(),
        inner_stack: &inner_stack,
        told: &told,
    };
    start_when_free(|| start.run())
}

/// The program, its arguments, its environment and its directory, in the form that system calls take.
struct Words {
    program: CString,
    dir: CString,
    args: Vec<CString>,
    env: Vec<CString>,
}

impl Words {
    fn of(invocation: &Invocation<'_>) -> io::Result<Self> {
        let program = found(invocation);
        let args = std::iter::once(invocation.program.as_str());
        let args = args.chain(invocation.args.iter().map(String::as_str));
        let env = invocation.env.iter();
        Ok(Self {
            program: CString::new(program.into_string())?,
            dir: CString::new(invocation.dir.as_str())?,
            args: args.map(CString::new).collect::<Result<_, _>>()?,
            env: env
                .map(|(name, value)| CString::new(format!("{name}={value}")))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// Returns the path of a program; a name without a directory is looked for in the child's `PATH`.
fn found(invocation: &Invocation<'_>) -> Utf8PathBuf {
    let program = invocation.program;
    let path = match program.as_str().contains('/') {
        true => "",
        false => invocation.env.get("PATH").map_or("", String::as_str),
    };
    let places = places_of_program(program.as_str(), path);
    let places = places.filter_map(|place| Utf8PathBuf::from_path_buf(place).ok());
    let has_directory = |place: &Utf8PathBuf| place.parent().is_some_and(|dir| dir != "");
    places
        .filter(has_directory)
        .map(|place| invocation.dir.join(place))
        .find(|path| path.is_file())
        .unwrap_or_else(|| program.to_owned())
}

/// Returns the pointers to the words, followed by a null.
fn pointers(words: &[CString]) -> Vec<*const c_char> {
    let pointers = words.iter().map(|word| word.as_ptr());
    pointers.chain([null()]).collect()
}

/// The facts that a child needs to start a program, and the memory in which it tells how that went.
struct Start<'a> {
    words: &'a Words,
    bounds: &'a Bounds,
    confinement: Option<&'a Confinement>,
    /// The standard input, output and error of the program.
    streams: [RawFd; 3],
    inherited: Option<RawFd>,
    parent: Pid,
    inner_stack: &'a Stack,
    told: &'a SharedTold,
}

/// The task of a forked child: its start, and lists of pointers that the child itself must not allocate.
struct Task<'a> {
    start: &'a Start<'a>,
    args: Vec<*const c_char>,
    env: Vec<*const c_char>,
}

impl Start<'_> {
    fn run(&self) -> io::Result<Pid> {
        let task = Task {
            start: self,
            args: pointers(&self.words.args),
            env: pointers(&self.words.env),
        };
        self.told.successor.store(0, SeqCst);
        self.told.error.store(0, SeqCst);
        let stack = Stack::new();
        let signals = BlockedSignals::new()?;
        let first = task.clone_on(&stack, begin, 0)?;
        drop(signals);
        let successor = self.told.successor.load(SeqCst);
        let error = self.told.error.load(SeqCst);
        if successor != 0 || error != 0 {
            wait_for(first);
        }
        match (error, successor) {
            (0, 0) => pid(first),
            (0, successor) => pid(successor),
            (error, 0) => Err(io::Error::from_raw_os_error(error)),
            (error, successor) => {
                wait_for(successor);
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }
}

impl Task<'_> {
    /// Forks a child, and returns when the child has ended or its program runs.
    #[expect(unsafe_code, reason = "a child with such flags is made by hand")]
    fn clone_on(
        &self,
        stack: &Stack,
        begin: extern "C" fn(*mut c_void) -> c_int,
        flags: c_int,
    ) -> io::Result<c_int> {
        let flags = libc::CLONE_VFORK | libc::SIGCHLD | flags;
        let task = std::ptr::from_ref(self).cast_mut().cast();
        // SAFETY: the stack is ours, large enough and used by nobody else. The calling thread goes on
        // when the child does not use the memory any more. The child reads the task, stores into two
        // atomics, and otherwise only makes system calls; it allocates nothing and takes no lock.
        let child = unsafe { libc::clone(begin, stack.top(), flags, task) };
        match child {
            -1 => Err(io::Error::last_os_error()),
            child => Ok(child),
        }
    }

    /// Writes the number of the error by which a step of the child failed to shared memory, and returns the exit
    /// status 1. The number is never zero.
    fn fail(&self, error: &io::Error) -> c_int {
        let number = match error.raw_os_error() {
            Some(number) => number,
            None => libc::EINTR,
        };
        self.start.told.error.store(number, SeqCst);
        1
    }
}

fn pid(raw: c_int) -> io::Result<Pid> {
    Pid::from_raw(raw).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Reaps a child that has ended, or is about to.
#[expect(unsafe_code, reason = "the safe interface does not take raw numbers")]
fn wait_for(child: c_int) {
    // SAFETY: our own child, which nobody else reaps, and no memory.
    while unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) } < 0
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
}

/// Runs the first instructions of the forked child.
#[expect(unsafe_code, reason = "what is handed over is a pointer")]
extern "C" fn begin(task: *mut c_void) -> c_int {
    // SAFETY: the pointer is that of `clone_on`, whose thread waits.
    let task = unsafe { &*task.cast_const().cast::<Task<'_>>() };
    match task.enter() {
        Ok(Next::Here) => go_on(task),
        Ok(Next::InSuccessor) => be_succeeded(task),
        Err(error) => task.fail(&error),
    }
}

/// The process in which the program runs: this child or a successor of it.
enum Next {
    Here,
    /// The program runs in the process that this child starts next.
    InSuccessor,
}

fn be_succeeded(task: &Task<'_>) -> c_int {
    let flags = libc::CLONE_PARENT | libc::CLONE_VM;
    match task.clone_on(task.start.inner_stack, succeed, flags) {
        Ok(successor) => {
            task.start.told.successor.store(successor, SeqCst);
            0
        }
        Err(error) => task.fail(&error),
    }
}

/// Runs the first instructions of the process that takes the child's place.
#[expect(unsafe_code, reason = "what is handed over is a pointer")]
extern "C" fn succeed(task: *mut c_void) -> c_int {
    // SAFETY: as in `begin`.
    go_on(unsafe { &*task.cast_const().cast::<Task<'_>>() })
}

/// Sets the limits of the child and starts the program; returns only if the program cannot be started.
fn go_on(task: &Task<'_>) -> c_int {
    match task.limit().and_then(|()| task.execute()) {
        Ok(never) => match never {},
        Err(error) => task.fail(&error),
    }
}

/// The steps that a forked child goes through to start its program, in their order.
impl Task<'_> {
    /// Sets up the child's descriptors, directory and namespaces, and returns in which process the program is to run.
    fn enter(&self) -> io::Result<Next> {
        close_on_exec()?;
        for (stream, number) in self.start.streams.into_iter().zip(0..) {
            become_stream(stream, number)?;
        }
        change_dir(&self.start.words.dir)?;
        if let Some(confinement) = self.start.confinement {
            confinement.isolate()?;
        }
        die_with_parent()?;
        if getppid() != Some(self.start.parent) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let has_processes = self
            .start
            .confinement
            .is_some_and(Confinement::has_processes);
        Ok(match has_processes {
            true => Next::InSuccessor,
            false => Next::Here,
        })
    }

    /// Sets the child's process group, its limits and the rest of the sandbox.
    fn limit(&self) -> io::Result<()> {
        let (start, bounds) = (self.start, self.start.bounds);
        setpgid(None, None)?;
        // A successor has not got it. Its namespace ends with us in any case.
        die_with_parent()?;
        if let Some(inherited) = start.inherited {
            keep_open(inherited)?;
        }
        limits::set(bounds)?;
        // A child that is handed the socket of a server is a server.
        let role = start.inherited.map_or(Role::Leader, |_| Role::Server);
        start
            .confinement
            .map_or(Ok(()), |confinement| confinement.restrict(role))
    }

    /// Replaces the child by the program.
    #[expect(unsafe_code, reason = "no safe interface to `execve`")]
    fn execute(&self) -> io::Result<Infallible> {
        reset_signals();
        let program = &self.start.words.program;
        // SAFETY: a string and two lists of strings that end with a null, all of them live.
        unsafe { libc::execve(program.as_ptr(), self.args.as_ptr(), self.env.as_ptr()) };
        Err(io::Error::last_os_error())
    }
}

fn die_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

#[expect(
    unsafe_code,
    reason = "the safe interface wants descriptors that it owns"
)]
fn become_stream(from: RawFd, number: RawFd) -> io::Result<()> {
    // SAFETY: numbers of this process's own table; nobody uses the old stream.
    match unsafe { libc::dup2(from, number) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[expect(
    unsafe_code,
    reason = "the directory of another process than ours is changed"
)]
fn change_dir(dir: &CString) -> io::Result<()> {
    // SAFETY: a live string that ends with a zero.
    match unsafe { libc::chdir(dir.as_ptr()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[expect(
    unsafe_code,
    reason = "only the number of the descriptor is known here"
)]
fn keep_open(descriptor: RawFd) -> io::Result<()> {
    // SAFETY: the caller of `spawn` keeps it open until the child is there.
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    Ok(fcntl_setfd(descriptor, FdFlags::empty())?)
}
