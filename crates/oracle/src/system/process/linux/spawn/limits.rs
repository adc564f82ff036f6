//! What a process may use, as the kernel limits it.

use crate::system::process::invocation::Bounds;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::time::Duration;

/// Between the two limits on CPU time.
const SPARE_CPU_SECONDS: u64 = 5;

/// Limits the calling process. Only makes system calls.
pub(super) fn set(bounds: &Bounds) -> std::io::Result<()> {
    limit(Resource::Core, Some(0), 0)?;
    // The first limit sends a signal that can be told from others, the second one kills. A machine that does not look for a
    // while would see both at once if they were close.
    limit(
        Resource::Cpu,
        bounds.cpu.map(whole_seconds),
        SPARE_CPU_SECONDS,
    )?;
    stop_after(bounds.own_cpu)?;
    limit(Resource::Nproc, bounds.processes, 0)?;
    limit(Resource::As, bounds.memory_bytes, 0)?;
    limit(Resource::Fsize, bounds.file_bytes, 0)?;
    limit(Resource::Nofile, bounds.open_files, 0)?;
    Ok(())
}

/// Has the process sent SIGPROF when it has used so much CPU time; that lasts beyond `exec`.
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

/// At least one.
pub(in crate::system::process::linux) fn whole_seconds(duration: Duration) -> u64 {
    duration
        .as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}

/// Lowers a limit, with so much to spare below the hard one; it never goes above what we may use
/// ourselves.
fn limit(resource: Resource, value: Option<u64>, spare: u64) -> std::io::Result<()> {
    let Some(value) = value else { return Ok(()) };
    let ours = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limits = Rlimit {
        current: Some(value.min(ours)),
        maximum: Some(value.saturating_add(spare).min(ours)),
    };
    Ok(setrlimit(resource, limits)?)
}
