//! Handlers of deadly signals. Each writes the signal down, and then does what rustc would do with
//! it.

use crate::{original, report};
use std::ffi::{c_int, c_void};
use std::mem::{transmute, zeroed};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const SIGILL: c_int = 4;
const SIGTRAP: c_int = 5;
const SIGABRT: c_int = 6;
const SIGBUS: c_int = 7;
const SIGFPE: c_int = 8;
const SIGSEGV: c_int = 11;
const DEADLY: [c_int; 6] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV];
/// The signals of a stack that has overflowed: their handlers need another one.
const OF_STACKS: [c_int; 2] = [SIGBUS, SIGSEGV];
const SA_SIGINFO: c_int = 4;
const SA_ONSTACK: c_int = 0x0800_0000;
/// The offset of the interrupted instruction's address in a `ucontext_t`, in bytes.
const INSTRUCTION: usize = 40 + 16 * 8;

/// The structure `struct sigaction`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Action {
    handler: usize,
    mask: [u64; 16],
    flags: c_int,
    restorer: usize,
}

/// The beginning of `siginfo_t`.
#[repr(C)]
struct Info {
    signal: c_int,
    error: c_int,
    code: c_int,
}

const DEFAULT: Action = Action {
    handler: 0,
    mask: [0; 16],
    flags: 0,
    restorer: 0,
};

/// The actions that the process itself wants for each of the deadly signals.
static WANTED: Mutex<[Action; DEADLY.len()]> = Mutex::new([DEFAULT; DEADLY.len()]);
static IS_HANDLING: AtomicBool = AtomicBool::new(false);

type SetAction = unsafe extern "C" fn(c_int, *const Action, *mut Action) -> c_int;

unsafe extern "C" {
    fn raise(signal: c_int) -> c_int;
}

/// Handles the deadly signals from now on.
pub(crate) fn handle() {
    for signal in DEADLY {
        let on_stack = OF_STACKS.contains(&signal);
        let action = Action {
            handler: handler as *const () as usize,
            flags: SA_SIGINFO | if on_stack { SA_ONSTACK } else { 0 },
            ..DEFAULT
        };
        set(signal, &action);
    }
    IS_HANDLING.store(true, Ordering::SeqCst);
}

fn set(signal: c_int, action: &Action) -> c_int {
    // SAFETY: the C library defines it with this type.
    let set = unsafe { transmute::<usize, SetAction>(original(c"sigaction")) };
    // SAFETY: the action is valid; the old one is not asked for.
    unsafe { set(signal, action, null_mut()) }
}

unsafe extern "C" fn handler(signal: c_int, info: *const Info, context: *const c_void) {
    // SAFETY: the kernel's own record of an interrupted thread has it at this place.
    let address = unsafe { context.byte_add(INSTRUCTION).cast::<usize>().read() };
    report::event(&format!("signal {signal}"), Some(address));
    let wanted = place(signal).map_or(DEFAULT, |at| match WANTED.try_lock() {
        Ok(wanted) => wanted[at],
        Err(_) => DEFAULT,
    });
    set(signal, &wanted);
    // An instruction that the processor has refused is tried again when this returns, and refused
    // again. A signal that was sent is gone.
    if unsafe { (*info).code } <= 0 {
        // SAFETY: it is delivered to this thread when this returns.
        unsafe { raise(signal) };
    }
}

fn place(signal: c_int) -> Option<usize> {
    DEADLY.iter().position(|one| *one == signal)
}

/// Remembers the action that is wanted for a deadly signal, and leaves our handler where it is.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
    let at = place(signal).filter(|_| IS_HANDLING.load(Ordering::SeqCst));
    let Some(at) = at else {
        // SAFETY: the C library defines it with this type.
        let set = unsafe { transmute::<usize, SetAction>(original(c"sigaction")) };
        // SAFETY: the arguments are the caller's.
        return unsafe { set(signal, new, old) };
    };
    let Ok(mut wanted) = WANTED.lock() else {
        return -1;
    };
    // SAFETY: the pointers are the caller's, and valid where they are not null.
    unsafe {
        if !old.is_null() {
            old.write(wanted[at]);
        }
        if !new.is_null() {
            wanted[at] = new.read();
        }
    }
    0
}

/// Sets a handler as `sigaction` does, for the older function.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn signal(number: c_int, handler: usize) -> usize {
    let new = Action { handler, ..DEFAULT };
    // SAFETY: all zeros are an action.
    let mut old: Action = unsafe { zeroed() };
    // SAFETY: both are ours.
    match unsafe { sigaction(number, &raw const new, &raw mut old) } {
        0 => old.handler,
        _ => usize::MAX,
    }
}
