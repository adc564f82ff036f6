//! The fork server inside rustc, which sees the crate root being opened, and forks a child for each request.

use crate::protocol::{PACKET_BYTES, Packet, Reply, Request, Use};
use crate::system::{
    Buffer, EINTR, Limit, MSG_CMSG_CLOEXEC, Message, POLLIN, PR_SET_PDEATHSIG, Poll, RLIMIT_CPU,
    Replaced, SIGKILL, SYS_PIDFD_OPEN, Usage,
};
use crate::{heap, lock, pages, system, threads};
use std::ffi::{CStr, CString, c_char, c_int, c_ulong};
use std::io::Error;
use std::mem::transmute;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

type Open = unsafe extern "C" fn(*const c_char, c_int, c_int) -> c_int;

static OPEN: Replaced = Replaced::new(c"open");
static OPEN64: Replaced = Replaced::new(c"open64");

/// Whether this process still has to become a server when it opens the crate root.
static IS_ARMED: AtomicBool = AtomicBool::new(false);
static ARMING: OnceLock<Arming> = OnceLock::new();

/// The number of times, 100 microseconds apart, that the server checks whether rustc's main thread waits already.
const LOOKS: u32 = 5000;

/// The settings by which a process becomes a fork server.
pub(crate) struct Arming {
    /// The fork server's end of the socket to the oracle.
    pub(crate) socket: c_int,
    /// The path of the crate root, as it stands in rustc's arguments.
    pub(crate) root: CString,
    pub(crate) uses_huge_pages: bool,
}

/// Lets this process become a server when it opens the crate root. To be called on the main thread.
pub(crate) fn arm(arming: Arming) {
    ARMING.get_or_init(|| arming);
    threads::remember_main_thread();
    IS_ARMED.store(true, SeqCst);
}

pub(crate) fn is_armed() -> bool {
    IS_ARMED.load(SeqCst)
}

/// Replaces the C library's `open`: it opens a file, but first becomes a server if the file is the crate root.
///
/// # Safety
/// As the C library's own. It is declared without the dots of the original: an argument that was not
/// given is passed on as it is, and not looked at.
#[unsafe(no_mangle)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    // SAFETY: the arguments are the caller's.
    unsafe { serve_and_open(&OPEN, path, flags, mode) }
}

/// Opens a file as `open` does.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    // SAFETY: the arguments are the caller's.
    unsafe { serve_and_open(&OPEN64, path, flags, mode) }
}

unsafe fn serve_and_open(
    replaced: &Replaced,
    path: *const c_char,
    flags: c_int,
    mode: c_int,
) -> c_int {
    if let Some(arming) = ARMING.get().filter(|_| is_armed() && !threads::is_child()) {
        // SAFETY: a caller of `open` gives a C string.
        if arming.root.as_c_str() == unsafe { CStr::from_ptr(path) } {
            serve(arming);
        }
    }
    // SAFETY: the C library defines it with this type; the arguments are the caller's.
    unsafe { transmute::<usize, Open>(replaced.original())(path, flags, mode) }
}

/// Answers the oracle's requests, and forks a compiler for each program that is to be compiled. Returns in each
/// child, and where this process cannot be a server: if rustc compiles with several threads, a child would have only
/// one of them.
fn serve(arming: &Arming) {
    let socket = arming.socket;
    wait_for_main_thread();
    if !threads::is_waited_for() {
        IS_ARMED.store(false, SeqCst);
        // SAFETY: the descriptor is ours.
        unsafe { system::close(socket) };
        return;
    }
    // From here on the end of the stream ends this process: it can then take a child's group along.
    // SAFETY: a system call without pointers.
    unsafe { system::prctl(PR_SET_PDEATHSIG, 0 as c_ulong) };
    if arming.uses_huge_pages {
        pages::move_code_to_huge_pages();
        heap::want_huge_pages();
    }
    reply(socket, Reply::Ready);
    while let Some((request, streams)) = receive(socket) {
        match request {
            Request::Run { cpu_seconds } => {
                if fork(socket, cpu_seconds, streams) {
                    return;
                }
            }
            // The child that it was for has ended.
            Request::Signal(_) => {}
        }
    }
    // SAFETY: it ends the process.
    unsafe { system::_exit(0) }
}

fn wait_for_main_thread() {
    for _ in 0..LOOKS {
        if threads::is_main_waiting() {
            return;
        }
        // SAFETY: it sleeps.
        unsafe { system::usleep(100) };
    }
}

/// Forks a child that compiles, and watches over it. Returns whether this is the child.
fn fork(socket: c_int, cpu_seconds: u64, streams: [c_int; 3]) -> bool {
    // SAFETY: the C library and the allocator are made for a fork in a process with threads; the
    // threads that are missing in the child wait for this one, or for signals.
    let (parent, pid) = unsafe { (system::getpid(), system::fork()) };
    if pid == 0 {
        threads::this_is_a_child();
        become_leader(parent, socket, cpu_seconds, streams);
        return true;
    }
    let error = Error::last_os_error();
    for stream in streams {
        // SAFETY: the descriptors came with the request and are ours.
        unsafe { system::close(stream) };
    }
    let answer = match pid {
        -1 => Err(error),
        pid => supervise(socket, pid),
    };
    reply(
        socket,
        match answer {
            Ok(used) => Reply::Ended(used),
            Err(error) => Reply::NotForked(error.raw_os_error().unwrap_or(0)),
        },
    );
    false
}

/// Sets up a forked child like each process that the oracle starts: the leader of a group, with pipes for output and
/// limits, that does not outlive its parent. It has introduced itself to the oracle, and keeps no descriptor of the
/// server's.
fn become_leader(parent: c_int, socket: c_int, cpu_seconds: u64, streams: [c_int; 3]) {
    // SAFETY: system calls on descriptors of ours and on values; the child has one thread.
    unsafe {
        system::setpgid(0, 0);
        system::prctl(PR_SET_PDEATHSIG, SIGKILL as c_ulong);
        if system::getppid() != parent {
            system::_exit(97);
        }
        let [out, err, introduction] = streams;
        system::dup2(out, 1);
        system::dup2(err, 2);
        // The kernel adds who says so. A failure shows as the stream's end.
        system::send(introduction, [0_u8].as_ptr().cast(), 1, 0);
        for descriptor in [out, err, introduction, socket] {
            system::close(descriptor);
        }
        if cpu_seconds > 0 {
            let limit = Limit {
                current: cpu_seconds,
                maximum: cpu_seconds + 1,
            };
            system::setrlimit(RLIMIT_CPU, &raw const limit);
        }
        if !lock::stay_in_group() {
            system::_exit(98);
        }
    }
}

/// Waits until the child has ended, and passes the oracle's signals on to it. The group is killed before the child is
/// reaped: until then its number cannot belong to another. A child that cannot be watched is killed.
fn supervise(socket: c_int, pid: c_int) -> Result<Use, Error> {
    // SAFETY: system calls on a child that is not reaped yet.
    let pidfd = unsafe {
        system::setpgid(pid, pid);
        system::syscall(SYS_PIDFD_OPEN, pid, 0)
    };
    let error = Error::last_os_error();
    let pidfd = c_int::try_from(pidfd).unwrap_or(-1);
    if pidfd >= 0 {
        watch(socket, pidfd, pid);
    }
    // SAFETY: as above; the descriptor is ours.
    unsafe {
        system::kill(-pid, SIGKILL);
        system::close(pidfd);
    }
    let used = reap(pid);
    if pidfd >= 0 { Ok(used) } else { Err(error) }
}

/// Passes the oracle's signals on to the child until the child has ended.
fn watch(socket: c_int, pidfd: c_int, pid: c_int) {
    loop {
        let mut polls = [socket, pidfd].map(|fd| Poll {
            fd,
            events: POLLIN,
            ready: 0,
        });
        // SAFETY: two entries, as said.
        unsafe { system::poll(polls.as_mut_ptr(), 2, -1) };
        if polls[1].ready != 0 {
            return;
        }
        if polls[0].ready != 0 {
            hand_on(socket, pid);
        }
    }
}

fn hand_on(socket: c_int, pid: c_int) {
    let signal = match receive(socket) {
        Some((Request::Signal(signal), _)) => signal,
        Some((Request::Run { .. }, _)) => return,
        None => SIGKILL,
    };
    // SAFETY: the child is not reaped yet, so that its group is still its own.
    unsafe { system::kill(-pid, signal) };
}

fn reap(pid: c_int) -> Use {
    let (mut status, mut usage) = (0, Usage::default());
    // SAFETY: both pointers are to live locals of the right types; the child is ours.
    while unsafe { system::wait4(pid, &raw mut status, 0, &raw mut usage) } < 0
        && Error::last_os_error().raw_os_error() == Some(EINTR)
    {}
    let seconds = usage.user.seconds + usage.system.seconds;
    let microseconds = usage.user.microseconds + usage.system.microseconds;
    Use {
        status,
        cpu_microseconds: u64::try_from(seconds * 1_000_000 + microseconds).unwrap_or(0),
        peak_kib: u64::try_from(usage.peak_kib).unwrap_or(0),
    }
}

fn reply(socket: c_int, reply: Reply) {
    let packet = reply.to_packet();
    // SAFETY: the packet lives until the call has returned. A failure shows as the stream's end.
    unsafe { system::send(socket, packet.as_ptr().cast(), packet.len(), 0) };
}

/// A control message of a socket that brings three file descriptors: length, level, type, descriptors.
#[repr(C, align(8))]
struct Control {
    len: usize,
    level: c_int,
    kind: c_int,
    fds: [c_int; 3],
}

/// Receives the next request and the descriptors that came with it, -1 for none; `None` at the end
/// of the stream, and where the oracle is of another build.
fn receive(socket: c_int) -> Option<(Request, [c_int; 3])> {
    let mut packet: Packet = [0; PACKET_BYTES];
    let mut control = Control {
        len: 0,
        level: 0,
        kind: 0,
        fds: [-1; 3],
    };
    let mut buffer = Buffer {
        base: packet.as_mut_ptr().cast(),
        len: PACKET_BYTES,
    };
    loop {
        let mut message = Message {
            name: null_mut(),
            name_len: 0,
            buffers: &raw mut buffer,
            buffer_count: 1,
            control: (&raw mut control).cast(),
            control_len: size_of::<Control>(),
            flags: 0,
        };
        // SAFETY: all pointers are to live locals, with their sizes.
        let received = unsafe { system::recvmsg(socket, &raw mut message, MSG_CMSG_CLOEXEC) };
        if received == PACKET_BYTES.cast_signed() {
            return Some((Request::from_packet(&packet)?, control.fds));
        }
        if received >= 0 || Error::last_os_error().raw_os_error() != Some(EINTR) {
            return None;
        }
    }
}
