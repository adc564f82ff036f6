//! The guard of a failure that needs none, or of a test that no runs can hold to its bug.

use crate::fidelity::Fidelity;
use crate::figures::CodeUnderTest;
use crate::findings::Findings;
use crate::guard::Guard;
use crate::leeway::Leeway;
use reduce_oracle::Signature;

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

    fn report(&self, _refused: u64) -> Option<CodeUnderTest> {
        None
    }
}
