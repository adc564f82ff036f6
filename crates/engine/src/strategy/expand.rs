//! The stage that has macro calls and derives expanded by the compiler. What they make is larger,
//! but can be reduced, where a call is all or nothing.

use super::expansion_limit::most_tokens_of_expansion;
use super::forms::detour;
use super::row::Then;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_gather::{has_macro_calls, tidy_expansion};
use reduce_syntax::{SourceTree, count_tokens};
use std::sync::Arc;

/// Has the compiler expand all macro calls, reduces the larger program, and goes back unless that
/// ends smaller. Returns how often it paid.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn expand_macros(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
    then: &Then<'_>,
) -> Result<u64, Failure> {
    if !has_macro_calls(&session.best().tree) {
        return Ok(0);
    }
    let expanded = session.in_stage(Stage::ExpandMacros, 1, |session| {
        session
            .tools
            .in_turn(|oracle, cancel| oracle.expand(session.best(), cancel))
    })?;
    let tree = &session.best().tree;
    let most_tokens = most_tokens_of_expansion(tree);
    let expanded = expanded.filter(|text| count_tokens(text) <= most_tokens);
    let forms = expanded.map_or_else(Vec::new, |text| tidy_expansion(&text));
    let starts = forms.iter().map(|text| in_one_file(tree, text)).collect();
    let has_paid = detour(session, Stage::ExpandMacros, starts, |session| {
        then(session, 1).map(drop)
    })?;
    Ok(u64::from(has_paid))
}

/// Puts the expansion of a crate, which has the contents of all its files, into one file.
fn in_one_file(tree: &SourceTree, text: &str) -> SourceTree {
    let root = tree.path(tree.root()).to_owned();
    SourceTree::single(root, Arc::from(text))
}
