//! The guard of a reduction, which refuses candidates that fail for another bug than the original.

use crate::anew::Judgement;
use crate::error::GuardError;
use crate::figures::CodeUnderTest;
use crate::findings::Findings;
use crate::leeway::Leeway;
use crate::marked::{OtherTexts, PointGone};
use reduce_oracle::{
    Cancel, Linkage, OracleError, OwnResults, Plan, Signature, Unit, Variants, Worker,
};
use reduce_syntax::{EditSet, SourceTree};
use std::borrow::Cow;
use std::fmt::Debug;

/// A function that makes a worker for a plan.
pub type MakeWorker<'w> = dyn Fn(&Plan) -> Result<Worker, OracleError> + 'w;

/// Holds the candidates of a reduction to the bug that the original shows. [`prepare`](crate::prepare) makes one. What a
/// guard does not say for itself is as if there were none.
pub trait Guard: Debug + Send + Sync {
    /// Returns the findings about the test before the search.
    fn findings(&self) -> &Findings;

    /// Returns the changes that may be made to a program with this failure without its bug being lost.
    fn leeway(&self, failure: &Signature) -> Leeway;

    /// Whether a candidate may fail for another cause than the original, so that a value need not be computed as it was.
    fn permits_other_causes(&self) -> bool {
        false
    }

    /// Returns the figures of the runs of the code under test, where so many candidates were refused; `None` where the
    /// reduction was not to be guarded.
    fn report(&self, refused: u64) -> Option<CodeUnderTest>;

    /// Returns the runs under mutants that decide about a candidate with this linkage; `None` where one run as it is
    /// decides. `own` are the results of a test that was written anew or judged again, in place of those of the original.
    fn runs(&self, _linkage: &Linkage, _own: Option<&OwnResults>) -> Option<Cow<'_, Variants>> {
        None
    }

    /// Returns the settings of the variable that has the code under test mended, one for each mend that is known.
    fn mends(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    /// Judges a test that was written anew from what the original did, and finds the results that its candidates have to
    /// keep. It is given with the failure of the original, and with the plan by which it is asked about, but for the guard's part of it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn judge_anew(
        &self,
        _written: (&SourceTree, &Signature),
        _by: (&Plan, &Linkage),
        _make_worker: &MakeWorker<'_>,
        _cancel: &Cancel,
    ) -> Result<Judgement, GuardError> {
        Ok(Judgement::AsOriginal)
    }

    /// Judges a part of a test, which expects the value that the code under test computes once it is mended; `None` where
    /// that is not known. Returns the test with that value. The worker is made for the first such test, and kept for others.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn judge_expecting_anew(
        &self,
        _test: (&SourceTree, &Signature, Option<&OwnResults>),
        _by: (&Plan, &Linkage),
        _workers: (&mut Option<Worker>, &MakeWorker<'_>),
        _cancel: &Cancel,
    ) -> Result<Option<(SourceTree, Judgement)>, GuardError> {
        Ok(None)
    }

    /// Whether runs of a changed test may show the value that it has to expect.
    fn knows_right_values(&self) -> bool {
        false
    }

    /// Returns the results that the candidates of a smaller program have to keep, if fewer functions are to be entered by these than by
    /// those of the program before; `None` where all stays as it is. The program is given with the results of its own, if it has some,
    /// and with the plan by which it is asked about, but for the guard's part of it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn judge_again(
        &self,
        _smaller: (&SourceTree, Option<&OwnResults>),
        _by: (&Plan, &Linkage),
        _make_worker: &MakeWorker<'_>,
        _cancel: &Cancel,
    ) -> Result<Option<OwnResults>, GuardError> {
        Ok(None)
    }

    /// Returns the runs under mutants that decide about the original, for which everything that is
    /// linked is prepared.
    fn runs_of_original(&self) -> Option<&Variants> {
        None
    }

    /// Makes the form in which a candidate is compiled, such as its text with switches; `None` where it is compiled as it
    /// is. `linked` says which of the units it is linked with.
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

    /// Takes out the texts of linked crates with marks at the points that have to stay, which are read in
    /// place of those on the disk.
    fn take_texts(&mut self) -> OtherTexts {
        OtherTexts::default()
    }

    /// Forgets the points in code that a `cfg` leaves out of its unit.
    fn forget_left_out(&mut self, _configured: &dyn Fn(usize) -> Option<SourceTree>) {}

    /// Returns the edits that empty the blocks of a program which no run enters. `plan` is the one by which the program is
    /// asked about, but for the guard's part of it.
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
