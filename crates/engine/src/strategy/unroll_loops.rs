//! Unrolling of loops: a loop is replaced by copies of its body, one for each round (iteration) that matters, with the
//! values that a run had in that round.
//!
//! See docs/decisions/values-in-runs.md.

use super::lists::shorten_by_level;
use super::rewrites::worth_trying;
use super::unused::{delete_unused, leave_out_dead_code};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Change;
use crate::propose::Methods;
use crate::propose::Proposals;
use crate::request::Stage;
use crate::session::Session;
use crate::session::run_search;
use reduce_algorithms::{Replacement, Tmin};
use reduce_passes::Unrolling;
use reduce_syntax::ListKind;

/// The largest number of loops that are unrolled on trial in a round of the search.
const MOST_LOOPS: usize = 4;

/// The largest number of tokens by which the written out rounds of a loop may be longer than the
/// loop.
const MOST_GROWTH: i64 = 3000;

/// The number of parts into which the rounds of an unrolled loop are split at first, each of which
/// may go.
const FIRST_PARTS: usize = 2;

/// The largest number of parts into which the rounds of an unrolled loop are split as long as none
/// of them could go.
const MOST_PARTS_IN_VAIN: usize = 4;

/// The largest number of tokens by which unrolling a loop may make a program larger for its statements to be tried one
/// by one.
const MOST_TO_SHORTEN: u64 = 60;

/// The largest number of parts into which the rounds of an unrolled loop are split, once some of
/// them could go.
const MOST_PARTS: usize = 8;

/// Unrolls one loop after the other: the rounds of the loop take its place, written out. Returns
/// how many programs were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn unroll_loops(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    unrollings: Vec<Unrolling>,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    let tokens = session.best().tree.count_tokens();
    if !session.mode.unrolls_loops(tokens) {
        return Ok(accepted);
    }
    let mut left = untried(session, unrollings);
    // A loop for which that brings nothing says little of another.
    for _ in 0..MOST_LOOPS {
        if left.is_empty() || session.is_cancelled() {
            break;
        }
        let (unrolling, whole) = left.remove(0);
        if unroll(session, methods, round, &unrolling)? {
            accepted += 1;
            let changes = session
                .tools
                .in_turn(|oracle, cancel| oracle.changes_by_values(session.best(), cancel))?;
            left = untried(session, changes.unrollings);
        } else {
            session.ledger.attempts.note_failed(whole.0);
        }
    }
    Ok(accepted)
}

/// Returns the loops whose unrolling with all rounds has not failed before.
fn untried(session: &Session<'_>, unrollings: Vec<Unrolling>) -> Vec<(Unrolling, Change)> {
    let with_all = unrollings.into_iter().filter_map(|one| {
        let all: Vec<usize> = (0..one.n_rounds()).collect();
        let whole = worth_trying(session, vec![one.with(&all)]).pop()?;
        Some((one, whole))
    });
    let growth = |(_, edits): &Change| edits.growth(&session.best().tree).0;
    with_all
        .filter(|(_, whole)| growth(whole) <= MOST_GROWTH)
        .collect()
}

/// Tries to make a simpler program by unrolling a loop, and leaving out rounds and what is then
/// unused.
fn unroll(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    unrolling: &Unrolling,
) -> Result<bool, Failure> {
    let before = session.best().tree.count_tokens();
    let mut rounds = Rounds::new(session.best().clone(), unrolling);
    let go = |session: &mut Session<'_>| {
        if !session.of_any_size(|session| leave_out_rounds(session, &mut rounds))? {
            return Ok(());
        }
        leave_out_dead_code(session)?;
        delete_unused(session, methods, round)?;
        match session.best().tree.count_tokens().checked_sub(before) {
            Some(growth) if growth <= MOST_TO_SHORTEN => {
                shorten_by_level(session, methods, &[ListKind::Statements]).map(drop)
            }
            _ => Ok(()),
        }
    };
    let has_paid = session.on_trial(Stage::FoldValues, go, |session, end| {
        session.best.is_beaten_by(end)
    })?;
    session.mode.note_rounds(rounds.n_tried, before, has_paid);
    Ok(has_paid)
}

/// Leaves out as many rounds of an unrolled loop as possible. Returns whether the program fails
/// with all of them.
fn leave_out_rounds(session: &mut Session<'_>, rounds: &mut Rounds<'_>) -> Result<bool, Failure> {
    let mut kept: Vec<usize> = (0..rounds.unrolling.n_rounds()).collect();
    if rounds.first_of(session, vec![kept.clone()])?.is_none() {
        return Ok(false);
    }
    let (mut n_parts, mut has_gone) = (FIRST_PARTS, false);
    while kept.len() > 1 && !session.is_cancelled() {
        let n = n_parts.min(kept.len());
        if let Some(fewer) = rounds.first_of(session, without_parts(&kept, n))? {
            (kept, has_gone) = (fewer, true);
            n_parts = FIRST_PARTS.max(n - 1);
        } else if n == kept.len() || n >= most_parts(has_gone) {
            break;
        } else {
            n_parts = 2 * n;
        }
    }
    Ok(true)
}

fn most_parts(has_gone: bool) -> usize {
    match has_gone {
        true => MOST_PARTS,
        false => MOST_PARTS_IN_VAIN,
    }
}

/// Splits the rounds `kept` of an unrolled loop into parts, and returns for each part the rounds
/// that are left without it.
fn without_parts(kept: &[usize], n_parts: usize) -> Vec<Vec<usize>> {
    let bound = |part: usize| part * kept.len() / n_parts;
    let without = |part: usize| {
        let (before, after) = (&kept[..bound(part)], &kept[bound(part + 1)..]);
        [before, after].concat()
    };
    (0..n_parts).map(without).collect()
}

/// A search among sets of rounds of an unrolled loop, of which one is to stand in place of the
/// loop.
struct Rounds<'u> {
    base: Candidate,
    unrolling: &'u Unrolling,
    sets: Vec<Vec<usize>>,
    accepted: Option<usize>,
    n_tried: usize,
}

impl<'u> Rounds<'u> {
    fn new(base: Candidate, unrolling: &'u Unrolling) -> Self {
        Self {
            base,
            unrolling,
            sets: Vec::new(),
            accepted: None,
            n_tried: 0,
        }
    }

    /// Returns the first of some sets of rounds with which the program still fails in the same way.
    fn first_of(
        &mut self,
        session: &mut Session<'_>,
        sets: Vec<Vec<usize>>,
    ) -> Result<Option<Vec<usize>>, Failure> {
        self.n_tried += sets.len();
        (self.sets, self.accepted) = (sets, None);
        run_search(session, Tmin::new(vec![self.sets.len()]), &mut *self)?;
        Ok(self.accepted.map(|idx| self.sets[idx].clone()))
    }
}

impl Proposals<Replacement> for Rounds<'_> {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        let edits = self.unrolling.with(&self.sets[proposal.alternative]);
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        "rounds of a loop"
    }

    fn accepted(&mut self, proposal: &Replacement, _program: &Candidate) {
        self.accepted = Some(proposal.alternative);
    }
}

#[cfg(test)]
mod tests {
    use super::without_parts;

    #[test]
    fn each_part_of_the_rounds_is_left_out() {
        assert_eq!(without_parts(&[0, 2, 5], 2), [vec![2, 5], vec![0]]);
        let singly = without_parts(&[0, 2, 5], 3);
        assert_eq!(singly, [vec![2, 5], vec![0, 5], vec![0, 2]]);
        assert_eq!(without_parts(&[4, 7], 2), [vec![7], vec![4]]);
    }
}
