//! Makes a fork server of a program before its `main`, and gives each child the variable that its run has.

use crate::forks::{fork, receive, reply};
use crate::order::{forget, is_program};
use crate::protocol::{PROGRAM_VARIABLE, Reply, Request, Run, SETTINGS_VARIABLE, SOCKET_VARIABLE};
use crate::system::{self, PR_SET_PDEATHSIG, Replaced, environ};
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_ulong, c_void};
use std::mem::transmute;
use std::ptr::null_mut;
use std::{env, fs};

type StartMain = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    *mut *mut c_char,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> c_int;

static START_MAIN: Replaced = Replaced::new(c"__libc_start_main");

/// The exit status of a process that cannot be a server; the oracle sees the end of the socket.
const NO_SERVER: c_int = 95;

/// Takes the place of the C library's function that runs a program's constructors and its `main`.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_start_main(
    main: *mut c_void,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    loader_fini: *mut c_void,
    stack_end: *mut c_void,
) -> c_int {
    if let Some(order) = Order::take() {
        order.serve();
    }
    // SAFETY: the C library defines it with this type; the arguments are the caller's.
    unsafe {
        transmute::<usize, StartMain>(START_MAIN.original())(
            main,
            argc,
            argv,
            init,
            fini,
            loader_fini,
            stack_end,
        )
    }
}

/// The oracle's order to become a server, which is taken out of the environment.
struct Order {
    socket: c_int,
    program: OsString,
    settings: Vec<CString>,
}

impl Order {
    #[expect(
        clippy::disallowed_methods,
        reason = "the oracle gives the order in the environment of the process it preloads"
    )]
    fn take() -> Option<Self> {
        let socket = env::var(SOCKET_VARIABLE).ok()?.parse().ok()?;
        let program = env::var_os(PROGRAM_VARIABLE)?;
        let settings = env::var(SETTINGS_VARIABLE).ok()?;
        forget(&[SOCKET_VARIABLE, PROGRAM_VARIABLE, SETTINGS_VARIABLE])?;
        let settings = settings.lines().map(CString::new);
        Some(Self {
            socket,
            program,
            settings: settings.collect::<Result<_, _>>().ok()?,
        })
    }

    /// Answers the oracle's requests until the end of the stream, which ends the process. Returns in each child.
    fn serve(&self) {
        if !self.is_expected() {
            // SAFETY: it ends the process.
            unsafe { system::_exit(NO_SERVER) }
        }
        // From here on the end of the stream ends this process: it can then take a child's group along.
        // SAFETY: a system call without pointers.
        unsafe { system::prctl(PR_SET_PDEATHSIG, 0 as c_ulong) };
        reply(self.socket, Reply::Ready);
        while let Some((request, streams)) = receive(self.socket) {
            if let Request::Run(run) = request
                && fork(self.socket, run, streams)
            {
                self.set(run);
                return;
            }
        }
        // SAFETY: it ends the process.
        unsafe { system::_exit(0) }
    }

    /// Whether this is the program, and has one thread: a child has no more.
    fn is_expected(&self) -> bool {
        is_program(&self.program)
            && fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
    }

    /// Puts the setting of a run into the environment, where it would be if the process had been started with it: names
    /// are in order.
    fn set(&self, run: Run) {
        let setting = usize::try_from(run.setting).ok();
        let Some(setting) = setting.and_then(|idx| self.settings.get(idx)) else {
            return;
        };
        let name = name(setting);
        let mut variables = vec![];
        // SAFETY: a list of C strings that ends with a null, which nobody changes: there is one thread.
        unsafe {
            let mut at = environ;
            while !at.is_null() && !(*at).is_null() {
                variables.push(*at);
                at = at.add(1);
            }
        }
        // SAFETY: the pointers are to C strings that live as long as the process.
        let name_at = |variable: &*mut c_char| self::name(unsafe { CStr::from_ptr(*variable) });
        variables.retain(|variable| name_at(variable) != name);
        let place = variables.partition_point(|variable| name_at(variable) < name);
        variables.insert(place, setting.clone().into_raw());
        variables.push(null_mut());
        // SAFETY: the list is never freed.
        unsafe { environ = variables.leak().as_mut_ptr() };
    }
}

/// Returns the name of a variable that is given with its value.
fn name(variable: &CStr) -> &[u8] {
    let bytes = variable.to_bytes();
    bytes.split(|byte| *byte == b'=').next().unwrap_or(bytes)
}
