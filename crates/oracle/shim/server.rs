//! The fork server inside rustc, which sees the crate root being opened, and forks a child for each request.

use crate::forks::{fork, receive, reply};
use crate::protocol::{Reply, Request};
use crate::system::{PR_SET_PDEATHSIG, Replaced};
use crate::{heap, pages, system, threads};
use std::ffi::{CStr, CString, c_char, c_int, c_ulong};
use std::mem::transmute;
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
            Request::Run(run) => {
                if fork(socket, run, streams) {
                    threads::this_is_a_child();
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
