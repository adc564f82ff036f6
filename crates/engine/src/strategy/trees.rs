//! The search of a whole crate as one tree, whatever the kinds of its nodes.

use crate::failure::Failure;
use crate::propose::{Methods, TreeChanges};
use crate::session::{Session, run_wide};
use reduce_algorithms::List;
use reduce_algorithms::tree::{NodeId, TreeOptions, TreeSearch};

/// Searches the whole crate as one tree by a worklist, before the passes.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn worklist(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    search_tree(session, methods, Methods::worklist_before_passes())
}

/// Searches the tree of the best so far, which stays as it was parsed until the search ends.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn search_tree(
    session: &mut Session<'_>,
    methods: &Methods,
    options: TreeOptions,
) -> Result<u64, Failure> {
    let changes = TreeChanges::new(session.best(), session.program().tree());
    let algorithm = methods.list_algorithm();
    let list_search =
        move |_: &[NodeId], weights: &[u64]| algorithm.search(List::weighted(weights));
    let search = TreeSearch::new(changes.abstract_tree(), options, list_search);
    run_wide(session, search, changes)
}
