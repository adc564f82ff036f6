//! Chooses a guard, and prepares it.

use crate::context::{CodePlace, GuardContext};
use crate::error::GuardError;
use crate::guard::Guard;
use crate::mutation_guard::MutationGuard;
use crate::no_guard::NoGuard;
use crate::version_guard::VersionGuard;
use reduce_oracle::{Plan, Unit};
use reduce_syntax::SourceTree;

/// The kinds of guards of a failing test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardKind {
    /// Mutants of the code under test say whether a test still shows the bug.
    Mutants,
    /// A version without the bug decides whether a test still shows the bug.
    GoodVersion {
        /// Whether the test is run to find out which of its code the failure does not need.
        isolates: bool,
    },
    /// There is no guard.
    Nothing,
}

/// Makes the guard for the reduction of `original`, which is compiled by `plan` and may be linked with these units.
///
/// # Errors
/// Where our own surroundings fail, or a package that the user names cannot be mutated.
pub fn prepare(
    kind: GuardKind,
    context: &GuardContext<'_>,
    (plan, units): (&Plan, &[Unit]),
    original: &SourceTree,
    place: CodePlace<'_>,
) -> Result<Box<dyn Guard>, GuardError> {
    Ok(match kind {
        GuardKind::Mutants => Box::new(MutationGuard::prepare(
            context,
            (plan, units),
            original,
            place,
        )?),
        GuardKind::GoodVersion { isolates: true } => {
            Box::new(VersionGuard::prepare(context, plan, original, place)?)
        }
        GuardKind::GoodVersion { isolates: false } => Box::new(VersionGuard::default()),
        GuardKind::Nothing => Box::new(NoGuard::new(context.fidelity)),
    })
}
