//! Flags of the compiler call that the crash does not need.

use crate::Failure;
use crate::ask::{Candidate, Terms};
use crate::methods::Methods;
use crate::search::Proposals;
use crate::session::Session;
use reduce_algorithms::{DdminOptions, List, Subset, WeightedDdmin};
use std::sync::Arc;

/// Leaves out flags of the compiler call that the crash does not need. Returns how many went.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn delete_flags(
    session: &mut Session<'_>,
    methods: &Methods,
    n_groups: usize,
) -> Result<u64, Failure> {
    if n_groups == 0 {
        return Ok(0);
    }
    let base = session.best().clone();
    let search = WeightedDdmin::over(List::new(n_groups), DdminOptions::default());
    session.in_stage(methods, "delete_flags", 1, |session| {
        session.search(search, FlagGroups { base })
    })
}

struct FlagGroups {
    base: Candidate,
}

impl Proposals<Subset> for FlagGroups {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        let left_out = Arc::new(proposal.removed().collect());
        Candidate {
            tree: self.base.tree.clone(),
            terms: Terms {
                left_out,
                ..self.base.terms.clone()
            },
        }
    }

    fn kind(&self, proposal: &Subset) -> &'static str {
        proposal.kind().name()
    }

    fn accepted(&mut self, _proposal: &Subset, _program: &Candidate) {}
}
