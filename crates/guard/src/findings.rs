//! The findings of the preparation of a guard.

use reduce_oracle::Signature;
use reduce_passes::ExpectedLiterals;
use reduce_syntax::SourceTree;
use std::time::Duration;

/// The findings about a test before the search, and the time and compiler runs that they took.
#[derive(Debug, Default)]
pub struct Findings {
    /// The test without the code that cannot flow into its failing assertion; absent where the test could
    /// not be run.
    pub isolated: Option<SourceTree>,
    /// The test's own crate with marks at the points that have to stay, where that crate is the
    /// code under test.
    pub own: Option<SourceTree>,
    /// Whether the failure may show other values than the original, because the right answer
    /// changes with the input.
    pub ignores_values: bool,
    /// The failure that the test shows since its assertion was changed; `None` where it was not
    /// changed.
    pub changed: Option<Signature>,
    /// The literals in the test that must not become fewer.
    pub literals: ExpectedLiterals,
    /// Whether the mutants say which function the bug is in.
    pub is_located: bool,
    /// The warning for the user: the reason why candidates are not guarded.
    pub warning: Option<String>,
    /// Whether no mutant guards the test, and candidates are held to the calls that lead to its panic in the code under test.
    pub is_held_by_calls: bool,
    /// The compiler runs that the preparation took.
    pub runs: u64,
    /// The time that the preparation took.
    pub(crate) time: Duration,
    /// Whether the test takes a value out of a `Result` or an `Option` that has none, and fails
    /// there.
    pub(crate) unwraps: bool,
    /// Whether the test's assertion was narrowed to a part of what it compared.
    pub(crate) is_narrowed: bool,
    /// Whether the test calls functions that set a field which the code under test does not read.
    pub(crate) sets_in_vain: bool,
}
