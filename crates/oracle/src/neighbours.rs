//! Neighbouring compilers: the user's other toolchains. Where the compiler that is asked crashes, one of them may not, and
//! says whether the program is valid. That is told in the report alone, and no candidate is refused for it.

use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{Compiler, installed};
use crate::demands::Demand;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::plan::companion::Companion;
use crate::plan::{Plan, Sources};
use crate::system::process::Ending;
use crate::worker::Worker;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The largest number of other compilers that are asked about a program.
const MOST_ASKED: usize = 4;
/// The code of the error that `#![feature]` is not allowed: the compiler is too stable for the program, which says nothing
/// of the rest of it.
pub const FEATURE_REFUSED: &str = "E0554";
/// The beginning of an error that is about a flag of the call.
const FLAG_REFUSED: &str = "unknown ";

/// The answer of a compiler that does not crash on a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
    /// The command by which a person calls the compiler, such as `rustc +nightly`.
    pub command: String,
    /// The first line of the compiler's version.
    pub version: String,
    /// The code or the message of the first error that the compiler reports; `None` where the program compiles.
    pub error: Option<String>,
}

/// Returns the answer of the newest of the user's other compilers that does not crash on a program, and the number of them
/// that were asked. Nothing where the program links compiled crates, which another compiler cannot read. `dir` is emptied.
///
/// # Errors
/// When files cannot be written, or on cancellation.
pub fn ask_neighbours(
    dir: &Utf8Path,
    plan: &Plan,
    sources: &Sources,
    user: &Surroundings,
    cancel: &Cancel,
) -> Result<(Option<Neighbour>, u64), OracleError> {
    let mut n_asked = 0;
    if !plan.extern_files().is_empty() {
        return Ok((None, n_asked));
    }
    let others = installed(&plan.call.compiler, user, cancel);
    for compiler in others.into_iter().take(MOST_ASKED) {
        n_asked += 1;
        let (command, version) = (compiler.command.clone(), compiler.version().to_owned());
        let seen = see(dir, plan, compiler, sources, cancel)?;
        if let Some(error) = judgement(&seen) {
            let neighbour = Neighbour {
                command,
                version,
                error,
            };
            return Ok((Some(neighbour), n_asked));
        }
    }
    Ok((None, n_asked))
}

/// Asks another compiler about a program, and returns what it shows.
fn see(
    dir: &Utf8Path,
    plan: &Plan,
    compiler: Compiler,
    sources: &Sources,
    cancel: &Cancel,
) -> Result<Observation, OracleError> {
    let mut plan = plan.with_companions(Vec::new());
    let companion = Companion::new(Some(compiler), Demand::Compiles, &plan);
    plan.add_companion(companion);
    let edited: BTreeSet<Utf8PathBuf> = sources.keys().cloned().collect();
    let mut worker = Worker::new(dir.to_owned(), &plan, &edited)?;
    let seen = worker.see_companion_of(&plan, 0, sources, cancel)?;
    match seen.outcome.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(Observation::of(&seen.outcome)),
    }
}

/// Judges what another compiler does with a program: its first error, or `None` within where the program compiles; no
/// answer where that compiler crashes too, does not come to an end, or does not take such a program.
fn judgement(seen: &Observation) -> Option<Option<String>> {
    let is_refused = |error: &String| error == FEATURE_REFUSED || error.starts_with(FLAG_REFUSED);
    if !seen.crashes.is_empty() || seen.errors.iter().any(is_refused) {
        return None;
    }
    match (seen.errors.first(), seen.ending) {
        (Some(error), _) => Some(Some(error.clone())),
        (None, Ending::Exited(0)) => Some(None),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn observation(ending: Ending, errors: &[&str]) -> Observation {
        Observation {
            ending,
            crashes: Vec::new(),
            errors: errors.iter().map(|&error| error.to_owned()).collect(),
            duration: Duration::ZERO,
        }
    }

    #[test]
    fn errors_are_told_and_what_says_nothing_is_not() {
        let says = |ending, errors: &[&str]| judgement(&observation(ending, errors));
        assert_eq!(says(Ending::Exited(0), &[]), Some(None));
        let error = Some(Some("E0308".to_owned()));
        assert_eq!(says(Ending::Decided, &["E0308", "E0425"]), error);
        assert_eq!(says(Ending::Exited(1), &["E0554", "E0308"]), None);
        let flag = ["unknown unstable option: `next-solver`"];
        assert_eq!(says(Ending::Exited(1), &flag), None);
        assert_eq!(says(Ending::TimedOut, &[]), None);
    }
}
