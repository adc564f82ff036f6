//! The findings of the preparation of a guard.

use crate::asked::Guard;
use crate::facts::Facts;
use crate::figures::CodeUnderTest;
use crate::marked::MarkedCode;
use crate::suspicion;
use reduce_oracle::{Signature, VariantRuns};
use reduce_passes::ExpectedLiterals;
use reduce_syntax::SourceTree;
use std::sync::Arc;
use std::time::Duration;

/// The findings about a test and the code under test, by which candidates are guarded.
#[derive(Default)]
pub struct Prepared {
    /// The test without what cannot flow into its failing assertion; absent where the test could not be run.
    pub isolated: Option<SourceTree>,
    /// Whether the failure may have other values: the right answer changes with the input.
    pub ignores_values: bool,
    /// Whether the test takes a value out of a `Result` or an `Option` that has none, and fails
    /// there.
    pub unwraps: bool,
    /// The failure of the test where its assertion was changed.
    pub changed: Option<Signature>,
    /// Whether the test's assertion compares a part of what it compared.
    pub is_narrowed: bool,
    /// Whether the test calls functions that set a field which the code under test does not read.
    pub sets_in_vain: bool,
    /// Literals that must not become fewer.
    pub literals: ExpectedLiterals,
    /// The guard that candidates must agree with; absent where no mutant tells anything.
    pub guard: Option<Guard>,
    /// The facts that are known of the code under test; absent where it could not be run with
    /// mutants.
    pub(crate) facts: Option<Facts>,
    /// The code under test, with marks at the points that have to stay, with `--whole`.
    pub marked: Option<MarkedCode>,
    /// The warning for the user: the reason why candidates are not run under mutants.
    pub warning: Option<String>,
    /// The compiler runs that the preparation took.
    pub runs: u64,
    /// The time that the preparation took.
    pub time: Duration,
    /// The cost of the runs of candidates under mutants so far.
    pub spent: Arc<VariantRuns>,
}

impl Prepared {
    /// Whether the mutants say in which function the bug is.
    #[must_use]
    pub fn is_located(&self) -> bool {
        let facts = self.facts.as_ref();
        facts.is_some_and(|facts| facts.located_in.is_some())
    }

    /// Returns the figures of the code under test, where so many candidates were refused; `None` where the reduction
    /// was not to be guarded.
    #[must_use]
    pub fn code_under_test(&self, refused: u64) -> Option<CodeUnderTest> {
        let known = self.facts.as_ref();
        let known = known.map(|facts| suspicion::code_under_test(facts, refused));
        if known.is_none() && self.warning.is_none() && !self.is_narrowed {
            return None;
        }
        Some(CodeUnderTest {
            warning: self.warning.clone(),
            runs: self.spent.runs(),
            seconds: self.spent.time().as_secs_f64(),
            seconds_before: self.time.as_secs_f64(),
            narrowed: self.is_narrowed,
            ..known.unwrap_or_default()
        })
    }
}
