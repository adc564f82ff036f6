//! The start of rustc: before `main` it is decided whether this process is to be witnessed.

use crate::{original, report, signals};
use std::env;
use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::transmute;
use std::path::Path;
use std::sync::OnceLock;

/// The variable that names the file of the report.
const REPORT_VARIABLE: &str = "CARGO_REDUCE_WITNESS";
/// The variable that names the compiler's executable: other programs that are started on the way are let alone.
const PROGRAM_VARIABLE: &str = "CARGO_REDUCE_WITNESS_PROGRAM";

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

static REAL_MAIN: OnceLock<Main> = OnceLock::new();

unsafe extern "C" {
    static mut environ: *mut *mut c_char;

    fn unsetenv(name: *const c_char) -> c_int;
}

/// Takes the place of the function that the program's first instructions call with its `main`.
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
    let start = unsafe { transmute::<usize, StartMain>(original(c"__libc_start_main")) };
    // SAFETY: the arguments are the caller's, but for the main function, which has the same type.
    unsafe {
        start(
            witnessed_main,
            argc,
            argv,
            init,
            fini,
            loader_fini,
            stack_end,
        )
    }
}

/// Takes the place of `main`.
unsafe extern "C" fn witnessed_main(
    argc: c_int,
    argv: *mut *mut c_char,
    envp: *mut *mut c_char,
) -> c_int {
    let main = *REAL_MAIN.get().expect("set before the program starts");
    if !begins() {
        // SAFETY: the arguments are those that `main` was to get.
        return unsafe { main(argc, argv, envp) };
    }
    signals::handle();
    // SAFETY: as above; `environ` is the environment without our variables.
    let status = unsafe { main(argc, argv, environ) };
    report::event("return", None);
    status
}

/// Takes the order out of the environment, so that neither rustc nor what it starts sees it. Returns
/// whether there is one for this program.
#[expect(
    clippy::disallowed_methods,
    reason = "the oracle gives the order in the environment of the process it preloads"
)]
fn begins() -> bool {
    let (report, program) = (env::var(REPORT_VARIABLE), env::var_os(PROGRAM_VARIABLE));
    let (Ok(report), Some(program)) = (report, program) else {
        return false;
    };
    let own = std::fs::read_link("/proc/self/exe");
    if !own.is_ok_and(|own| own == Path::new(&program)) {
        return false;
    }
    for name in ["LD_PRELOAD", REPORT_VARIABLE, PROGRAM_VARIABLE] {
        if let Ok(name) = CString::new(name) {
            // SAFETY: a C string; there is no other thread yet that could read the environment.
            unsafe { unsetenv(name.as_ptr()) };
        }
    }
    report::begin(report)
}
