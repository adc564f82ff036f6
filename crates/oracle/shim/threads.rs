//! The steps by which a forked child becomes a whole rustc.
//!
//! rustc's main thread starts a thread that compiles, and waits for it. The server forks on that
//! second thread, so that in the child the main thread is gone. When the second thread's work is
//! done, the child's one thread therefore goes on *as* the main thread: with the registers with
//! which the main thread had called `pthread_join`, and its thread-local storage.

use crate::server;
use crate::system::{Replaced, pthread_self, thread_id};
use std::arch::naked_asm;
use std::ffi::{c_int, c_long, c_ulong, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering::SeqCst};

type Start = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type Create = unsafe extern "C" fn(*mut c_ulong, *const c_void, Start, *mut c_void) -> c_int;
type Join = unsafe extern "C" fn(c_ulong, *mut *mut c_void) -> c_int;

static CREATE: Replaced = Replaced::new(c"pthread_create");
static JOIN: Replaced = Replaced::new(c"pthread_join");

/// The number that the system has for rustc's main thread.
static MAIN: AtomicI64 = AtomicI64::new(0);
/// The thread that compiles, for which rustc's main thread waits.
static COMPILING: AtomicU64 = AtomicU64::new(0);
/// Whether rustc's main thread waits for the thread that compiles.
static IS_WAITING: AtomicU32 = AtomicU32::new(0);
/// Registers of the waiting main thread: rbx, rbp, r12 to r15, rsp, and the base of fs.
static REGISTERS: [AtomicU64; 8] = [const { AtomicU64::new(0) }; 8];
/// Whether this process was forked.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

/// Remembers which thread is rustc's main thread. To be called on it, before it starts others.
pub(crate) fn remember_main_thread() {
    MAIN.store(thread_id(), SeqCst);
}

/// Whether a child that is forked on the calling thread will be able to go on as the main thread:
/// the main thread waits for just this thread.
pub(crate) fn is_waited_for() -> bool {
    // SAFETY: no arguments, no effect.
    let current = unsafe { pthread_self() };
    IS_WAITING.load(SeqCst) != 0 && COMPILING.load(SeqCst) == current
}

/// Whether the main thread waits at all; it may be a moment behind the thread that it started.
pub(crate) fn is_main_waiting() -> bool {
    IS_WAITING.load(SeqCst) != 0
}

/// Notes that this process is a forked child. To be called in it.
pub(crate) fn this_is_a_child() {
    IS_CHILD.store(true, SeqCst);
}

pub(crate) fn is_child() -> bool {
    IS_CHILD.load(SeqCst)
}

/// Waits for a thread, and remembers the first wait of the server's main thread.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_join(thread: c_ulong, result: *mut *mut c_void) -> c_int {
    let original = JOIN.original();
    let is_first = server::is_armed() && !is_child() && !is_main_waiting();
    if is_first && thread_id() == MAIN.load(SeqCst) {
        COMPILING.store(thread, SeqCst);
        REGISTERS[7].store(thread_base(), SeqCst);
        // SAFETY: the third argument is the original's address.
        return unsafe { remember_and_join(thread, result, original) };
    }
    // SAFETY: the C library defines it with this type; the arguments are the caller's.
    unsafe { transmute::<usize, Join>(original)(thread, result) }
}

/// Starts a thread like the C library's `pthread_create`, and notices the end of its work.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    thread: *mut c_ulong,
    attributes: *const c_void,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the C library defines it with this type.
    let original = unsafe { transmute::<usize, Create>(CREATE.original()) };
    if !server::is_armed() || is_child() {
        // SAFETY: the arguments are the caller's.
        return unsafe { original(thread, attributes, start, argument) };
    }
    let work = Box::into_raw(Box::new(Work { start, argument }));
    // SAFETY: `run` gets the one pointer to the box.
    let failed = unsafe { original(thread, attributes, run, work.cast()) };
    if failed != 0 {
        // SAFETY: no thread has taken the box.
        drop(unsafe { Box::from_raw(work) });
    }
    failed
}

struct Work {
    start: Start,
    argument: *mut c_void,
}

/// Runs the start routine of a thread that rustc has started.
unsafe extern "C" fn run(work: *mut c_void) -> *mut c_void {
    // SAFETY: `pthread_create` made it of a box for this call alone.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    // SAFETY: the start routine and its argument belong together.
    let result = unsafe { (work.start)(work.argument) };
    drop(work);
    if is_child() && is_waited_for() {
        IS_WAITING.store(0, SeqCst);
        // SAFETY: in a child this is the only thread, and the main thread's stack is as it was when
        // the main thread began to wait.
        unsafe { go_on_as_main() }
    }
    result
}

/// Returns the base of fs: the address of the calling thread's thread-local storage.
fn thread_base() -> u64 {
    const ARCH_GET_FS: c_long = 0x1003;
    const SYS_ARCH_PRCTL: c_long = 158;
    let mut base = 0_u64;
    // SAFETY: the call writes one word to the given place.
    unsafe { crate::system::syscall(SYS_ARCH_PRCTL, ARCH_GET_FS, &raw mut base) };
    base
}

/// Keeps the registers that a function must preserve, and goes on to the original `pthread_join`.
///
/// # Safety
/// `original` is the address of a function like [`Join`].
#[unsafe(naked)]
unsafe extern "C" fn remember_and_join(
    thread: c_ulong,
    result: *mut *mut c_void,
    original: usize,
) -> c_int {
    naked_asm!(
        "mov rax, [rip + {registers}@GOTPCREL]",
        "mov [rax], rbx",
        "mov [rax + 8], rbp",
        "mov [rax + 16], r12",
        "mov [rax + 24], r13",
        "mov [rax + 32], r14",
        "mov [rax + 40], r15",
        "mov [rax + 48], rsp",
        "mov rax, [rip + {is_waiting}@GOTPCREL]",
        "mov dword ptr [rax], 1",
        "jmp rdx",
        registers = sym REGISTERS,
        is_waiting = sym IS_WAITING,
    )
}

/// Returns 0 from [`remember_and_join`], on the main thread's stack and with its storage.
///
/// # Safety
/// The calling thread is the only one, and the main thread had called [`remember_and_join`].
#[unsafe(naked)]
unsafe extern "C" fn go_on_as_main() -> ! {
    naked_asm!(
        "mov r8, [rip + {registers}@GOTPCREL]",
        "mov rsi, [r8 + 56]",
        "mov edi, 0x1002", // ARCH_SET_FS
        "mov eax, 158",    // arch_prctl
        "syscall",
        "mov rbx, [r8]",
        "mov rbp, [r8 + 8]",
        "mov r12, [r8 + 16]",
        "mov r13, [r8 + 24]",
        "mov r14, [r8 + 32]",
        "mov r15, [r8 + 40]",
        "mov rsp, [r8 + 48]",
        "xor eax, eax",
        "ret",
        registers = sym REGISTERS,
    )
}
