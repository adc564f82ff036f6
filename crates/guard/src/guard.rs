//! The guard of a reduction: what holds its candidates to the bug that the original shows.

use crate::error::GuardError;
use crate::figures::CodeUnderTest;
use crate::findings::Findings;
use crate::leeway::Leeway;
use crate::marked::{OtherTexts, PointGone};
use reduce_oracle::{Cancel, Linkage, OracleError, Plan, Signature, Unit, Variants, Worker};
use reduce_syntax::{EditSet, SourceTree};
use std::fmt::Debug;

/// Makes a worker for a plan.
pub type MakeWorker<'w> = dyn Fn(&Plan) -> Result<Worker, OracleError> + 'w;

/// Holds the candidates of a reduction to the bug that the original shows. [`prepare`](crate::prepare) makes one. What a
/// guard does not say for itself is as if there were none.
pub trait Guard: Debug + Send + Sync {
    /// Returns what the preparation has found, and what it took.
    fn findings(&self) -> &Findings;

    /// Returns what may be done to a program of which the failure is this one, without its bug being lost.
    fn leeway(&self, failure: &Signature) -> Leeway;

    /// Returns what the runs have shown of the code under test, where so many candidates were refused for it; `None` where
    /// the reduction was not to be guarded.
    fn report(&self, refused: u64) -> Option<CodeUnderTest>;

    /// Returns the runs that decide about candidates which are linked like this; `None` where one run as it is decides.
    fn runs(&self, _linkage: &Linkage) -> Option<&Variants> {
        None
    }

    /// Returns the runs of the original, in which all that is linked is prepared for them.
    fn runs_of_original(&self) -> Option<&Variants> {
        None
    }

    /// Makes the form of a candidate in which it is asked about, where that is another one than its own. `linked` says which of
    /// the units it is linked with.
    ///
    /// # Errors
    /// Where the candidate has lost a point that has to stay.
    fn screen(
        &self,
        _tree: &SourceTree,
        _linked: (&Linkage, &[Unit]),
    ) -> Result<Option<SourceTree>, PointGone<'_>> {
        Ok(None)
    }

    /// Returns a description of the points that have to stay in candidates, as a part of the keys of stored verdicts; `None` where
    /// none has to.
    fn points(&self) -> Option<String> {
        None
    }

    /// Takes out the texts of linked crates that are read in place of those on the disk: they have the points.
    fn take_texts(&mut self) -> OtherTexts {
        OtherTexts::default()
    }

    /// Forgets the points that are not in the text of their unit as it is configured.
    fn forget_left_out(&mut self, _configured: &dyn Fn(usize) -> Option<SourceTree>) {}

    /// Returns the edits that empty the blocks of a program that no run enters. `plan` is the one by which the program is asked
    /// about, but for the guard's part of it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn unentered_blocks(
        &self,
        _tree: &SourceTree,
        _by: (&Plan, &Linkage),
        _make_worker: &MakeWorker<'_>,
        _cancel: &Cancel,
    ) -> Result<Vec<EditSet>, GuardError> {
        Ok(Vec::new())
    }
}
