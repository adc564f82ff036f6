//! Searches that shorten lists.

use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::{Methods, Shortening, users};
use crate::session::{Session, run_wide};
use reduce_algorithms::{Cdd, ProbabilityOptions, Ties};
use reduce_model::Place;
use reduce_passes::Program;
use reduce_syntax::{List, ListKind, SyntaxTree};

/// Runs the list algorithm on all elements of all lists of some kinds, taken as one list.
pub(super) fn shorten_everywhere(
    session: &mut Session<'_>,
    methods: &Methods,
    kinds: &[ListKind],
) -> Result<u64, Failure> {
    let base = session.best().clone();
    let program = session.program();
    let mut lists = program.tree().lists.clone();
    lists.retain(|list| kinds.contains(&list.kind));
    shorten(session, methods, &base, &program, lists)
}

/// Runs HDD's outer loop (Misherghi and Su; Hodován et al., Fig. 2): the list algorithm on each
/// level.
pub(super) fn shorten_by_level(
    session: &mut Session<'_>,
    methods: &Methods,
    kinds: &[ListKind],
) -> Result<u64, Failure> {
    let (mut accepted, mut depth) = (0, 0);
    while let Some(here) = shorten_next_level(session, methods, kinds, &mut depth)? {
        accepted += here;
    }
    Ok(accepted)
}

/// Shortens the next level, from `depth` on, of which something can go; `None` if there is none.
/// The crate is read once for all levels up to it, as nothing changes before.
///
/// Where levels have one element each, the outermost is tried and the innermost. Where neither goes, hardly any between them would, as it
/// takes the innermost along; a round of everything tries them too.
fn shorten_next_level(
    session: &mut Session<'_>,
    methods: &Methods,
    kinds: &[ListKind],
    depth: &mut u32,
) -> Result<Option<u64>, Failure> {
    let base = session.best().clone();
    let program = session.program();
    let mut outer = None;
    let mut next = next_level(program.tree(), kinds, *depth);
    while !session.is_cancelled()
        && let Some((level, lists)) = next
    {
        *depth = level + 1;
        next = next_level(program.tree(), kinds, *depth);
        let only = only_element(&lists);
        let inner = next.as_ref().and_then(|(_, lists)| only_element(lists));
        let is_between = is_nested(&outer, &only) && is_nested(&only, &inner);
        outer = only;
        if is_between && session.ledger.attempts.leaves_out_failed() {
            continue;
        }
        let accepted = shorten(session, methods, &base, &program, lists)?;
        if accepted > 0 {
            return Ok(Some(accepted));
        }
    }
    Ok(None)
}

/// Returns the place of the only element of a level; `None` if there are more.
fn only_element(lists: &[List]) -> Option<Place> {
    let mut all = lists.iter().flat_map(|list| &list.elements);
    match (all.next(), all.next()) {
        (Some(one), None) => Some(Place::from(one)),
        _ => None,
    }
}

fn is_nested(outer: &Option<Place>, inner: &Option<Place>) -> bool {
    match (outer, inner) {
        (Some(outer), Some(inner)) => inner.is_within(outer),
        _ => false,
    }
}

fn next_level(tree: &SyntaxTree, kinds: &[ListKind], depth: u32) -> Option<(u32, Vec<List>)> {
    let is_wanted = |list: &&List| kinds.contains(&list.kind) && list.depth >= depth;
    let level = tree
        .lists
        .iter()
        .filter(is_wanted)
        .map(|list| list.depth)
        .min()?;
    let lists = tree.lists.iter().filter(is_wanted);
    let lists = lists.filter(|list| list.depth == level).cloned().collect();
    Some((level, lists))
}

fn shorten(
    session: &mut Session<'_>,
    methods: &Methods,
    base: &Candidate,
    program: &Program,
    lists: Vec<List>,
) -> Result<u64, Failure> {
    let mut shortening = Shortening::new(base, lists);
    shortening.leave_out_failed(&session.ledger.attempts);
    // Without the function that the compiler points at the crash would hardly be there. It is tried alone, in the last round.
    let is_of_items = |list: &List| matches!(list.kind, ListKind::Items | ListKind::Members);
    if shortening.lists().iter().all(is_of_items) {
        shortening.leave_out(&methods.needed_by_pointed_at(program, &shortening.parts()));
    }
    if shortening.is_empty() {
        return Ok(0);
    }
    let list = methods.list(program, &shortening.parts());
    let search = methods.list_algorithm().search(list);
    let accepted = run_wide(session, search, &mut shortening)?;
    shortening.note_failed(&mut session.ledger.attempts);
    Ok(accepted)
}

/// Deletes each element of the crate together with all that uses it, one by one: what can only go
/// together, such as a variable and the expression at the end that returns it. Meant for when
/// nothing can go alone: then only what does not go alone is a query.
///
/// The user of a definition is at first the smallest part that mentions it, such as an argument;
/// where that cannot go without what is around it, it is the statement.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_with_users(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let is_coarse = |kind: ListKind| LISTS_OF_STATEMENTS.contains(&kind);
    let fine = delete_some_with_users(session, |_| true)?;
    let coarse = delete_some_with_users(session, is_coarse)?;
    Ok(fine + coarse)
}

fn delete_some_with_users(
    session: &mut Session<'_>,
    is_wanted: impl Fn(ListKind) -> bool,
) -> Result<u64, Failure> {
    if session.is_cancelled() {
        return Ok(0);
    }
    let program = session.program();
    let mut lists = program.tree().lists.clone();
    lists.retain(|list| is_wanted(list.kind));
    let shortening = Shortening::new(session.best(), lists);
    let parts = shortening.parts();
    let closure = users(program.relations(), &parts);
    let list = reduce_algorithms::List::weighted(parts.weights).with_closure(closure);
    run_wide(session, Cdd::over(list, ONE_BY_ONE), shortening)
}

/// The kinds of lists whose elements are no smaller than a statement; and parts, for the types that
/// functions return.
const LISTS_OF_STATEMENTS: [ListKind; 5] = [
    ListKind::Items,
    ListKind::Members,
    ListKind::Statements,
    ListKind::Arms,
    ListKind::Parts,
];

/// The options of CDD whose only round has runs of one element.
const ONE_BY_ONE: ProbabilityOptions = ProbabilityOptions {
    initial_probability: 0.99,
    ties: Ties::FromTheEnd,
    ensure_one_minimal: false,
    try_empty: false,
};
