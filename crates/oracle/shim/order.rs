//! The oracle's order to become a fork server, as both kinds of servers read it from the environment.

use crate::system::unsetenv;
use std::ffi::{CString, OsStr};
use std::fs;
use std::path::Path;

/// Takes variables out of the environment, and that by which the library is preloaded, so that no child sees them. `None` where a
/// name cannot be one of a variable.
pub(crate) fn forget(names: &[&str]) -> Option<()> {
    for name in names.iter().chain(&["LD_PRELOAD"]) {
        let name = CString::new(*name).ok()?;
        // SAFETY: a C string; there is no other thread yet that could read the environment.
        unsafe { unsetenv(name.as_ptr()) };
    }
    Some(())
}

/// Whether this process runs the expected executable.
pub(crate) fn is_program(expected: &OsStr) -> bool {
    fs::read_link("/proc/self/exe").is_ok_and(|program| program == Path::new(expected))
}
