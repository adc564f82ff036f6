//! The steps of a user: write a file and call cargo.

use crate::Failure;
use crate::figures::Sample;
use crate::inputs::Last;
use crate::package;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::fs;
use std::mem::MaybeUninit;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A package in which a user edits and checks.
pub(crate) struct Checks {
    pub(crate) dir: Utf8PathBuf,
    pub(crate) vars: BTreeMap<String, String>,
}

impl Checks {
    /// Writes the text and checks it.
    ///
    /// # Errors
    /// When it does not end as it should, or cargo has not compiled it.
    pub(crate) fn check(&self, text: &str, last: Last) -> Result<Sample, Failure> {
        let before = cpu_of_children();
        let started = Instant::now();
        fs::write(self.dir.join("src/lib.rs"), text)?;
        let output = self.cargo()?;
        let sample = Sample {
            wall: started.elapsed(),
            cpu: cpu_of_children().saturating_sub(before),
        };
        must_be_checked(&output, last)?;
        Ok(sample)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark is a user, who starts cargo"
    )]
    fn cargo(&self) -> Result<Output, Failure> {
        let mut command = Command::new("cargo");
        command
            .arg("check")
            .current_dir(&self.dir)
            .env_clear()
            .envs(&self.vars)
            .stdin(Stdio::null());
        Ok(command.output()?)
    }
}

/// Checks that cargo has compiled the package, and ended as it must.
fn must_be_checked(output: &Output, last: Last) -> Result<(), Failure> {
    let said = String::from_utf8_lossy(&output.stderr);
    let has_crashed = said.contains("panicked at") || said.contains("internal compiler error");
    let is_checked = said.contains(&format!("Checking {}", package::NAME));
    let is_as_meant = match last {
        Last::Crash => has_crashed && !output.status.success(),
        _ => output.status.success(),
    };
    match is_checked && is_as_meant {
        true => Ok(()),
        false => Err(format!("cargo check ended otherwise:\n{said}").into()),
    }
}

/// Returns the user and system time of all children that have been waited for, and of theirs.
#[expect(unsafe_code, reason = "no safe interface to getrusage")]
fn cpu_of_children() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a live local of the right type. All zeros are a valid rusage, which
    // consists of integers, so that it is one even if the call should fail.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let of = |time: libc::timeval| {
        let micros = time.tv_sec * 1_000_000 + time.tv_usec;
        Duration::from_micros(micros.unsigned_abs())
    };
    of(usage.ru_utime) + of(usage.ru_stime)
}
