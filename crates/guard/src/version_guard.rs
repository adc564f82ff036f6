//! The guard by a good version: a test that another version passes, without the code that cannot flow into its failing
//! assertion. No mutant is needed: the other version says whether what is left still shows the bug.

use crate::context::{CodePlace, GuardContext};
use crate::error::GuardError;
use crate::figures::CodeUnderTest;
use crate::findings::Findings;
use crate::guard::Guard;
use crate::leeway::Leeway;
use crate::trial::{Isolated, Trial, own_files};
use reduce_oracle::{Own, Plan, Signature};
use reduce_syntax::SourceTree;
use std::time::Instant;

/// The guard that leaves it to the oracle to ask the good version about each candidate, as a
/// companion of its plan.
#[derive(Debug, Default)]
pub(crate) struct VersionGuard {
    findings: Findings,
}

impl VersionGuard {
    /// Removes the code that the failure does not need, and narrows the assertion to a part that differs, as long as the
    /// other version passes the test.
    pub(crate) fn prepare(
        context: &GuardContext<'_>,
        plan: &Plan,
        original: &SourceTree,
        place: CodePlace<'_>,
    ) -> Result<Self, GuardError> {
        let started = Instant::now();
        let trial = Trial {
            context,
            plan: plan.clone(),
            original,
            has_switches: matches!(place, CodePlace::Within),
            own: Own {
                is_all: context.is_whole(),
                ..own_files(plan, original)
            },
            // The code under test is not read here.
            only_reads: false,
            beside: Vec::new(),
        };
        let mut findings = Findings::default();
        for narrows in [true, false] {
            let Some(isolated) = trial.isolated(narrows)? else {
                break;
            };
            findings.runs += isolated.runs;
            if isolated.runs > 0 && trial.passes_elsewhere(&isolated.tree)? {
                take(&mut findings, isolated);
                break;
            }
            if !isolated.is_narrowed && isolated.changed.is_none() {
                break;
            }
        }
        findings.time = started.elapsed();
        Ok(Self { findings })
    }
}

impl Guard for VersionGuard {
    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn leeway(&self, _failure: &Signature) -> Leeway {
        Leeway::ALL
    }

    fn report(&self, _refused: u64) -> Option<CodeUnderTest> {
        let findings = &self.findings;
        findings.is_narrowed.then(|| CodeUnderTest {
            seconds_before: findings.time.as_secs_f64(),
            narrowed: true,
            ..CodeUnderTest::default()
        })
    }
}

fn take(findings: &mut Findings, isolated: Isolated) {
    findings.isolated = Some(isolated.tree);
    findings.changed = isolated.changed;
    findings.is_narrowed = isolated.is_narrowed;
}

impl Trial<'_> {
    /// Whether a program shows with the other version what it must show there, such as a test that
    /// passes.
    fn passes_elsewhere(&self, tree: &SourceTree) -> Result<bool, GuardError> {
        let mut worker = self.worker("for-version")?;
        let cancel = self.context.cancel;
        Ok(worker.holds_elsewhere(&self.plan, &tree.to_files(), cancel)?)
    }
}
