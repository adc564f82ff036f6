//! Begins a search with a step of an earlier reduction (`--from`), and closes the way that the
//! earlier search took from there.

use crate::Failure;
use crate::accept::KeptSteps;
use crate::candidate::Candidate;
use crate::failure::FailureKind;
use crate::output::directories_from;
use crate::request::EarlierStep;
use crate::session::Session;
use crate::store::Digest;
use camino::Utf8Path;
use reduce_oracle::Verdict;
use std::collections::{BTreeMap, BTreeSet};

/// The step that a search begins with, and the programs of the ways that earlier searches took from
/// it.
pub(super) struct Beginning {
    from: EarlierStep,
    state: Candidate,
    closed: BTreeSet<Digest>,
}

impl Beginning {
    /// Reads the step of an earlier reduction, and the ways from it that are to be closed. The ways that are closed are
    /// that of the earlier reduction, and those of searches from the same step that were made since. `output` is the
    /// directory of this one.
    ///
    /// # Errors
    /// Where there is no such step, or it is not there as a whole.
    pub(super) fn read(from: &EarlierStep, output: &Utf8Path) -> Result<Self, Failure> {
        let steps = KeptSteps::read(&from.directory)?;
        let number = usize::try_from(from.step).unwrap_or(usize::MAX);
        let state = steps.program(number).ok_or_else(|| no_step(from, &steps))?;
        let mut closed = BTreeSet::new();
        if from.forbids {
            closed.extend(digests(&steps, number + 1));
            let others = directories_from(&from.directory, from.step);
            for directory in others.filter(|directory| directory != output) {
                // A search that has not ended has no steps.
                if let Ok(steps) = KeptSteps::read(&directory) {
                    closed.extend(digests(&steps, 1));
                }
            }
            closed.remove(&state.tree.digest());
        }
        Ok(Self {
            from: from.clone(),
            state,
            closed,
        })
    }

    /// Closes the ways that earlier searches took from the step.
    pub(super) fn close_ways(&self, session: &mut Session<'_>) {
        session.mode.close_way(self.closed.clone());
    }

    /// Makes the step the best so far, if it still fails.
    ///
    /// # Errors
    /// Where it does not.
    pub(super) fn begin(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let state = session.judged_anew(self.state.clone())?;
        let verdict = session.verdict_aside(&state)?;
        if verdict != Some(Verdict::Interesting) {
            return Err(self.gone());
        }
        session.resume_with(self.from.step, state, BTreeMap::new())
    }

    fn gone(&self) -> Failure {
        let EarlierStep {
            directory, step, ..
        } = &self.from;
        let message = format!("step {step} of `{directory}` does not fail as it was asked for");
        Failure::new(FailureKind::NoCrash, message)
            .hint("give the same command as for the earlier reduction, with the same compiler")
    }
}

/// Returns the digests of the programs from step number `first` on, as far as they were kept.
fn digests(steps: &KeptSteps, first: usize) -> impl Iterator<Item = Digest> {
    let programs = (first..steps.len()).filter_map(|number| steps.program(number));
    programs.map(|program| program.tree.digest())
}

fn no_step(from: &EarlierStep, steps: &KeptSteps) -> Failure {
    let EarlierStep {
        directory, step, ..
    } = from;
    let last = steps.len() - 1;
    let message = match *step > last as u64 {
        true => {
            format!("the reduction in `{directory}` has no step {step}: the last one is {last}")
        }
        false => format!("step {step} of `{directory}` was too long to be kept"),
    };
    let failure = Failure::new(FailureKind::BadInput, message);
    match steps.first_whole() {
        Some(first) => failure.hint(format!(
            "give a step from {first} to {last}; `report.html` shows them"
        )),
        None => failure,
    }
}
