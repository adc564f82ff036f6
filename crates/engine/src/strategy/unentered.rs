//! Emptying of blocks that no run enters: of a crate that was merged, most of what stays is
//! never run.

use super::alternatives::Alternatives;
use super::rewrites::worth_trying;
use crate::failure::Failure;
use crate::propose::Change;
use crate::session::Session;
use reduce_syntax::EditSet;

/// The largest number of programs with emptied blocks that are tried.
const MOST_TRIED: usize = 40;

/// Empties the blocks that no run enters: all of them, or else by halves, as some are needed for their types. What has to stay is
/// not tried in each round. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn empty_unentered(session: &mut Session<'_>) -> Result<u64, Failure> {
    let base = session.best().clone();
    let blocks = session
        .tools
        .in_turn(|oracle, cancel| oracle.unentered(&base, cancel))?;
    let mut groups = vec![worth_trying(session, blocks)];
    let mut emptied: Vec<Change> = Vec::new();
    let mut accepted = 0;
    for _ in 0..MOST_TRIED {
        let Some(group) = groups.pop().filter(|_| !session.is_cancelled()) else {
            break;
        };
        if group.is_empty() {
            continue;
        }
        let all = emptied.iter().chain(&group).map(|change| &change.1);
        let edits = EditSet::union_of_disjoint(&base.tree, all);
        let candidates = vec![base.with_tree(edits.apply(&base.tree))];
        let kind = "unentered";
        if (Alternatives { candidates, kind }).try_in(session)? > 0 {
            accepted += 1;
            emptied.extend(group);
            continue;
        }
        match group.as_slice() {
            [(needed, _)] => session.ledger.attempts.note_failed(*needed),
            several => {
                let (first, last) = several.split_at(several.len() / 2);
                groups.extend([last.to_vec(), first.to_vec()]);
            }
        }
    }
    Ok(accepted)
}
