//! Flags of the compiler call that the crash does not need.

use super::search::{Proposals, run_search};
use crate::candidate::{Candidate, Terms};
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_algorithms::{Replacement, Tmin};
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
    let fewer = FewerFlags {
        base: session.best().clone(),
        left_out: Arc::default(),
    };
    // There are a few, which seldom need each other: one question for each.
    session.in_chosen_stage(methods, Stage::DeleteFlags, 1, |session| {
        run_search(session, Tmin::new(vec![1; n_groups]), fewer)
    })
}

struct FewerFlags {
    base: Candidate,
    left_out: Arc<Vec<usize>>,
}

impl Proposals<Replacement> for FewerFlags {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        let mut left_out = self.left_out.to_vec();
        left_out.push(proposal.element);
        left_out.sort_unstable();
        Candidate {
            tree: self.base.tree.clone(),
            terms: Terms {
                left_out: Arc::new(left_out),
                ..self.base.terms.clone()
            },
        }
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        "flag"
    }

    fn accepted(&mut self, _proposal: &Replacement, program: &Candidate) {
        self.left_out = program.terms.left_out.clone();
    }
}
