//! Helpers of the tests of the guard: failures, and mutants by what stands in their place.

use crate::outcome::Outcome;
use reduce_mutants::{Mutant, MutantId};
use reduce_oracle::{CrashKind, Signature};

/// Makes an assertion that fails with this message.
pub(crate) fn assertion(message: &str) -> Signature {
    Signature::of_kind(CrashKind::Assertion, message)
}

/// Makes the outcome of an assertion that fails with this message.
pub(crate) fn fails(message: &str) -> Outcome {
    Outcome::Fails(Box::new(assertion(message)))
}

/// Finds the first mutant with this text.
pub(crate) fn mutant(mutants: &[Mutant], mutated: &str) -> MutantId {
    let with_text = mutants.iter().find(|one| one.mutated == mutated);
    with_text.expect("there is such a mutant").id
}
