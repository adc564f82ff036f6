//! Blocks that no run enters, emptied together: of a crate that was merged, most of what stays is never run.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::session::Session;
use reduce_syntax::{Edit, EditSet};

/// So many programs are tried at most.
const MOST_TRIED: usize = 40;

/// Empties the blocks that no run enters: all of them, or else by halves, as some are needed for their types. Returns how many
/// candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn empty_unentered(session: &mut Session<'_>) -> Result<u64, Failure> {
    let base = session.best().clone();
    let mut groups = vec![session.tools.unentered(&base)?];
    let mut emptied: Vec<Edit> = Vec::new();
    let mut accepted = 0;
    for _ in 0..MOST_TRIED {
        let Some(group) = groups.pop().filter(|_| !session.is_cancelled()) else {
            break;
        };
        if group.is_empty() {
            continue;
        }
        let mut edits = EditSet::new();
        for edit in emptied.iter().chain(&group) {
            edits.add(edit.clone());
        }
        let candidates = vec![base.with_tree(edits.apply(&base.tree))];
        let kind = "unentered";
        if (Alternatives { candidates, kind }).try_in(session)? > 0 {
            accepted += 1;
            emptied.extend(group);
        } else if group.len() > 1 {
            let (first, last) = group.split_at(group.len() / 2);
            groups.extend([last.to_vec(), first.to_vec()]);
        }
    }
    Ok(accepted)
}
