//! Sets the limits of a process that the kernel enforces.

use crate::system::process::invocation::Bounds;
use reduce_platform::processes::set_limits;
use std::time::Duration;

/// Sets the limits of the calling process that the kernel enforces. It only makes system calls.
pub(super) fn set(bounds: &Bounds) -> std::io::Result<()> {
    set_limits(bounds.limits())?;
    stop_after(bounds.own_cpu)
}

/// Has the kernel send SIGPROF when the process has used so much CPU time; the timer lasts beyond
/// `exec`.
#[expect(unsafe_code, reason = "no safe interface to setitimer")]
fn stop_after(cpu: Option<Duration>) -> std::io::Result<()> {
    let Some(cpu) = cpu else { return Ok(()) };
    let none = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let timer = libc::itimerval {
        it_interval: none,
        it_value: libc::timeval {
            tv_sec: cpu.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_usec: cpu.subsec_micros().into(),
        },
    };
    // SAFETY: the pointer is to a live local of the right type, and the old value is not wanted.
    match unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}
