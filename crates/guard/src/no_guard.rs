//! The guard of a failure that needs none, or of a test that no runs can hold to its bug.

use crate::entered_blocks::EnteredBlocks;
use crate::error::GuardError;
use crate::fidelity::Fidelity;
use crate::figures::CodeUnderTest;
use crate::findings::Findings;
use crate::guard::{Guard, MakeWorker};
use crate::leeway::Leeway;
use reduce_mutants::Marks;
use reduce_oracle::{Cancel, Linkage, Plan, Signature};
use reduce_syntax::{EditSet, SourceTree};

/// The guard that refuses no candidate.
#[derive(Debug)]
pub(crate) struct NoGuard {
    fidelity: Fidelity,
    findings: Findings,
}

impl NoGuard {
    pub(crate) fn new(fidelity: Fidelity) -> Self {
        Self {
            fidelity,
            findings: Findings::default(),
        }
    }
}

impl Guard for NoGuard {
    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn leeway(&self, failure: &Signature) -> Leeway {
        Leeway::without_version(self.fidelity, &self.findings, failure)
    }

    fn permits_other_causes(&self) -> bool {
        self.fidelity.may_lose_cause()
    }

    fn report(&self, _refused: u64) -> Option<CodeUnderTest> {
        None
    }

    /// Returns the edits that empty the blocks which the program does not enter where it fails: none of a program that is not run
    /// or does not end by itself, or where these blocks may belong to the cause.
    fn unentered_blocks(
        &self,
        tree: &SourceTree,
        (plan, _): (&Plan, &Linkage),
        make_worker: &MakeWorker<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<EditSet>, GuardError> {
        if plan.execution().is_none() || !self.permits_other_causes() {
            return Ok(Vec::new());
        }
        let by = (plan, std::iter::once(None));
        let switched = Marks::default().instrument_with_blocks(tree);
        let blocks = EnteredBlocks::find(switched, by, make_worker, cancel)?;
        let blocks = blocks.filter(|blocks| blocks.has_ended);
        Ok(blocks.map_or_else(Vec::new, |blocks| blocks.empty_others(tree)))
    }
}
