//! Decides at the start of rustc, before `main`, whether the process becomes a fork server.

use crate::order::{forget, is_program};
use crate::protocol::{PAGES_VARIABLE, PROGRAM_VARIABLE, ROOT_VARIABLE, SOCKET_VARIABLE};
use crate::server::{self, Arming};
use crate::system::{_exit, Replaced, environ, fflush};
use std::env;
use std::ffi::{CString, OsString, c_char, c_int, c_void};
use std::mem::transmute;
use std::os::unix::ffi::OsStringExt;
use std::ptr::null_mut;
use std::sync::OnceLock;

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type StartMain = unsafe extern "C" fn(
    Main,
    c_int,
    *mut *mut c_char,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> c_int;

static START_MAIN: Replaced = Replaced::new(c"__libc_start_main");
static REAL_MAIN: OnceLock<Main> = OnceLock::new();

/// Takes the place of the C library's function that calls a program's `main`.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    loader_fini: *mut c_void,
    stack_end: *mut c_void,
) -> c_int {
    REAL_MAIN.get_or_init(|| main);
    // SAFETY: the C library defines it with this type.
    let original = unsafe { transmute::<usize, StartMain>(START_MAIN.original()) };
    // SAFETY: the arguments are the caller's, but for the main function, which has the same type.
    unsafe {
        original(
            main_or_server,
            argc,
            argv,
            init,
            fini,
            loader_fini,
            stack_end,
        )
    }
}

/// Takes the place of rustc's `main`.
unsafe extern "C" fn main_or_server(
    argc: c_int,
    argv: *mut *mut c_char,
    envp: *mut *mut c_char,
) -> c_int {
    let main = *REAL_MAIN.get().expect("set before the program starts");
    match Order::take() {
        Some(order) if is_program(&order.program) => server::arm(order.arming),
        // SAFETY: the arguments are those that `main` was to get.
        Some(_) | None => return unsafe { main(argc, argv, envp) },
    }
    // SAFETY: as above; `environ` is the environment without our variables.
    let status = unsafe { main(argc, argv, environ) };
    // The destructors of LLVM and the C library do not run after `main`: they take time and change
    // nothing.
    unsafe {
        fflush(null_mut());
        _exit(status)
    }
}

/// The oracle's order to become a server, as it was read from the environment. It is taken out, so that neither rustc
/// nor what it starts sees it.
struct Order {
    program: OsString,
    arming: Arming,
}

impl Order {
    #[expect(
        clippy::disallowed_methods,
        reason = "the oracle gives the order in the environment of the process it preloads"
    )]
    fn take() -> Option<Self> {
        let socket = env::var(SOCKET_VARIABLE).ok()?.parse().ok()?;
        let root = env::var_os(ROOT_VARIABLE)?;
        let program = env::var_os(PROGRAM_VARIABLE)?;
        let uses_huge_pages = env::var_os(PAGES_VARIABLE).is_some();
        forget(&[
            SOCKET_VARIABLE,
            ROOT_VARIABLE,
            PROGRAM_VARIABLE,
            PAGES_VARIABLE,
        ])?;
        Some(Self {
            program,
            arming: Arming {
                socket,
                root: CString::new(root.into_vec()).ok()?,
                uses_huge_pages,
            },
        })
    }
}
