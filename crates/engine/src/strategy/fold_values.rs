//! The stage that puts literals in place of expressions, with the values that these had when the
//! test ran.

use super::rewrites::worth_trying;
use super::unroll_loops::unroll_loops;
use super::unused::{delete_unused, leave_out_dead_code};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Change;
use crate::propose::Methods;
use crate::propose::Proposals;
use crate::request::Stage;
use crate::session::Session;
use crate::session::run_search;
use reduce_algorithms::{Ddmin, Subset};
use reduce_passes::Unrolling;
use reduce_syntax::EditSet;

/// The largest number of expressions whose replacement by their value is tried in a round although
/// it makes the program larger.
const MOST_GROWING: usize = 6;

/// The largest number of tokens by which the replacement of an expression by its value may make the
/// program larger.
const MOST_GROWTH: i64 = 40;

/// Replaces as many expressions as possible by the values that they had when the test ran, and
/// deletes what is then unused. Returns how many programs were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn fold_values(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    let mut loops = Vec::new();
    let all = untried(session, &mut loops)?;
    let (together, mut growing): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| growth(session, one) <= 0);
    let mut accepted = fold(session, methods, round, &together)?;
    if accepted > 0 {
        growing = untried(session, &mut loops)?;
    }
    for _ in 0..MOST_GROWING {
        growing.retain(|one| (1..=MOST_GROWTH).contains(&growth(session, one)));
        if growing.is_empty() || session.is_cancelled() {
            break;
        }
        // A function may be needed for this value alone.
        let first = [growing.remove(0)];
        if fold(session, methods, round, &first)? > 0 {
            accepted += 1;
            growing = untried(session, &mut loops)?;
        }
    }
    Ok(accepted + unroll_loops(session, methods, round, loops)?)
}

/// Returns the replacements of expressions by their values that have not failed before, and sets
/// `loops` to the loops that may be unrolled.
fn untried(session: &Session<'_>, loops: &mut Vec<Unrolling>) -> Result<Vec<Change>, Failure> {
    let changes = session
        .tools
        .in_turn(|oracle, cancel| oracle.changes_by_values(session.best(), cancel))?;
    *loops = changes.unrollings;
    Ok(worth_trying(session, changes.foldings))
}

/// Returns the number of tokens by which the replacement of an expression by its value makes the
/// best program larger.
fn growth(session: &Session<'_>, folding: &Change) -> i64 {
    folding.1.growth(&session.best().tree).0
}

/// Replaces as many expressions by their values as the failure allows, if that makes the program simpler in the end.
/// Returns how many programs were accepted.
fn fold(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    all: &[Change],
) -> Result<u64, Failure> {
    if all.is_empty() {
        return Ok(0);
    }
    let base = session.best().clone();
    let mut search = FoldingSearch {
        base: &base,
        all,
        folded: Vec::new(),
    };
    let go = |session: &mut Session<'_>| {
        let ddmin = Ddmin::new(all.len());
        session.of_any_size(|session| run_search(session, ddmin, &mut search))?;
        leave_out_dead_code(session)?;
        delete_unused(session, methods, round).map(drop)
    };
    let has_paid = session.on_trial(Stage::FoldValues, go, |session, end| {
        session.best.is_beaten_by(end)
    })?;
    for (idx, (fingerprint, _)) in all.iter().enumerate() {
        if !has_paid || !search.folded.contains(&idx) {
            session.ledger.attempts.note_failed(*fingerprint);
        }
    }
    Ok(u64::from(has_paid))
}

/// A search for the expressions to replace by their values: those that the list algorithm removes
/// from the list.
struct FoldingSearch<'f> {
    base: &'f Candidate,
    all: &'f [Change],
    folded: Vec<usize>,
}

impl Proposals<Subset> for FoldingSearch<'_> {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        let mut edits = EditSet::new();
        for idx in proposal.removed() {
            edits.extend(&self.all[idx].1);
        }
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    fn kind(&self, _proposal: &Subset) -> &'static str {
        "folding"
    }

    fn accepted(&mut self, proposal: &Subset, _program: &Candidate) {
        self.folded = proposal.removed().collect();
    }
}
