//! The stage that replaces calls of the program's own macros by the items that they make. What a macro makes can only
//! go as a whole, and crates define functions for all types of numbers in this way. All else keeps its comments, and
//! with them its marks, which it loses where the compiler expands macros.

use super::expansion_limit::most_tokens_of_expansion;
use super::forms::detour;
use super::row::Then;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::with_items_of_macros;

/// Replaces macro calls by their items, reduces the larger program, and goes back unless that ends smaller. Returns how
/// often it paid.
///
/// # Errors
/// Those of what follows.
pub(super) fn expand_items(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    then: &Then<'_>,
) -> Result<u64, Failure> {
    let mut forms = Vec::new();
    session.in_chosen_stage(methods, Stage::ExpandItems, round, |session| {
        let tree = &session.best().tree;
        forms = with_items_of_macros(tree, most_tokens_of_expansion(tree));
        Ok(0)
    })?;
    if forms.is_empty() {
        return Ok(0);
    }
    let has_paid = detour(session, Stage::ExpandItems, forms, |session| {
        session.ledger.begin_round(true);
        then(session, round).map(drop)
    })?;
    Ok(u64::from(has_paid))
}
