//! A compiler that is called once and crashes. rustc, rustdoc and clippy all do so in the same way.
//!
//! The functions that led to the crash must be the same where the user demands it: a compiler that crashes is
//! called once more, with a backtrace, which takes longer than the crash itself.

use crate::check::{AnyCheck, Bench, Check, Seen, form};
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::diagnostics::frames;

/// The check that compiles a candidate, and sees whether the compiler crashes.
#[derive(Debug)]
pub(crate) struct Crash {
    /// The functions of the compiler that a crash must come through, the innermost first; none where any crash will do.
    frames: Vec<String>,
}

impl Crash {
    /// Makes the check for a crash that may come through any functions.
    pub(crate) fn check() -> AnyCheck {
        Self::through(Vec::new())
    }

    /// Makes the check for a crash that came through these functions of the compiler, the innermost first.
    pub(crate) fn through(frames: Vec<String>) -> AnyCheck {
        AnyCheck::new(Self { frames })
    }

    /// Adds to the message of a crash the functions that it came through, if they are not the demanded ones.
    fn compare(&self, mut seen: Observation, stderr: &str) -> Observation {
        let found = frames(stderr);
        if let Some(first) = seen.crashes.first_mut()
            && !found.starts_with(&self.frames)
        {
            let innermost: Vec<&str> = found
                .iter()
                .take(self.frames.len())
                .map(String::as_str)
                .collect();
            first.message = format!("{} (through {})", first.message, innermost.join(" < "));
        }
        seen
    }
}

impl Check for Crash {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let (outcome, seen) = compiled(bench, args)?;
        if self.frames.is_empty() || seen.crashes.is_empty() {
            return Ok((outcome, seen));
        }
        let traced = bench.compile_with_backtrace(args)?;
        bench.clean_up()?;
        let again = Observation::of(&traced);
        // A run that ran out of time, or was cancelled, says nothing of the functions.
        if again.crashes.is_empty() {
            return Ok((traced, again));
        }
        Ok((outcome, self.compare(seen, &traced.stderr)))
    }

    fn form(&self) -> String {
        match self.frames.is_empty() {
            true => "\"crash\"".to_owned(),
            false => form(&["crash", "through"], &self.frames),
        }
    }

    fn may_stop_early(&self) -> bool {
        true
    }

    fn is_crash(&self) -> bool {
        true
    }
}

/// Compiles the candidate once, and returns its crashes and ordinary errors.
///
/// # Errors
/// When the compiler cannot be started.
pub(crate) fn compiled(bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
    let outcome = bench.compile(args)?;
    bench.clean_up()?;
    let seen = Observation::of(&outcome);
    Ok((outcome, seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::scripted::{Scripted, ended};
    use crate::system::process::{Ending, Outcome};

    const MESSAGE: &str = "thread 'rustc' (7) panicked at compiler/a.rs:1:2:\nodd\n";

    fn crashed(stderr: String) -> Outcome {
        Outcome {
            stderr,
            ..ended(Ending::Exited(101))
        }
    }

    /// Checks a crash that must come through `inner`, with a second run that ends like this.
    fn seen(traced: Outcome) -> Observation {
        let mut bench = Scripted {
            traced,
            ..Scripted::compiling(crashed(MESSAGE.to_owned()))
        };
        let check = Crash::through(vec!["rustc_x::inner".to_owned()]);
        check.run(&mut bench, &[]).unwrap().1
    }

    /// Returns the message of a crash with this backtrace.
    fn message(frames: &[&str]) -> String {
        let numbered = frames.iter().enumerate();
        let lines: String = numbered
            .map(|(number, frame)| format!("  {number}: {frame}\n"))
            .collect();
        let traced = crashed(format!("{MESSAGE}stack backtrace:\n{lines}"));
        seen(traced).crashes[0].message.clone()
    }

    #[test]
    fn a_second_run_that_does_not_crash_says_nothing_of_the_functions() {
        let late = seen(ended(Ending::TimedOut));
        assert_eq!((late.ending, late.crashes), (Ending::TimedOut, Vec::new()));
    }

    #[test]
    fn a_crash_that_comes_through_other_functions_is_another_one() {
        assert_eq!(
            message(&["core::f", "rustc_x::inner", "rustc_x::outer"]),
            "odd"
        );
        let other = message(&["core::f", "rustc_x::other", "rustc_x::inner"]);
        assert_eq!(other, "odd (through rustc_x::other)");
        assert_eq!(message(&[]), "odd (through )");
    }

    #[test]
    fn functions_that_count_are_a_part_of_the_key_of_a_verdict() {
        assert_eq!(Crash::check().form(), "\"crash\"");
        let through = Crash::through(vec!["a".to_owned()]);
        assert_eq!(through.form(), r#"{"crash":{"through":["a"]}}"#);
    }
}
