//! A compiler that is called once and crashes. rustc, rustdoc and clippy all do so in the same way.

use crate::check::{AnyCheck, Bench, Check, Seen};
use crate::error::OracleError;
use crate::observed::crash::Observation;

/// It is compiled, and the compiler crashes.
#[derive(Debug)]
pub(crate) struct Crash;

impl Crash {
    /// The check as plans have it.
    pub(crate) fn check() -> AnyCheck {
        AnyCheck::new(Self)
    }
}

impl Check for Crash {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        compiled(bench, args)
    }

    fn form(&self) -> String {
        "\"crash\"".to_owned()
    }

    fn may_stop_early(&self) -> bool {
        true
    }

    fn is_crash(&self) -> bool {
        true
    }
}

/// Compiles the candidate once: crashes, and ordinary errors.
///
/// # Errors
/// When the compiler cannot be started.
pub(crate) fn compiled(bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
    let outcome = bench.compile(args)?;
    bench.clean_up()?;
    let seen = Observation::of(&outcome);
    Ok((outcome, seen))
}
