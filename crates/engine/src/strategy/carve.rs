//! The stage that writes a test anew from what it did where it ran: as a straight line of calls into the code under test, on
//! trial. What is left of the test's own structs, functions and loops goes then. What could not be written anew, or not
//! straighter, may be once it is much smaller.
//!
//! See docs/decisions/carving.md.

use super::alternatives::Alternatives;
use super::expansion_limit::most_tokens_of_expansion;
use super::row::Then;
use super::unused::leave_out_dead_code;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{Carved, Carving, with_macros_inlined};
use std::collections::BTreeSet;

/// The factor by which a form may be larger than a test that was reduced before.
const MOST_TIMES: u64 = 2;

/// Puts the first of the carved forms that fails in the same way in place of the test, and reduces it. Returns whether that
/// ended smaller, as a number of accepted programs.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn carve(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    then: &Then<'_>,
) -> Result<u64, Failure> {
    let before = session.best().tree.count_tokens();
    if !session.mode.carves(before) {
        return Ok(0);
    }
    let accepted = session.in_chosen_stage(methods, Stage::Carve, round, |session| {
        let Carving {
            mut forms,
            obstacle,
        } = carved_forms(session)?;
        let is_again = session.ledger.carved_calls > 0;
        if !is_again {
            session.ledger.not_carved = obstacle;
        }
        if round > 1 {
            // What is left is nearly as small as it gets.
            forms.retain(|one| one.tree.count_tokens() <= before * MOST_TIMES);
        }
        if forms.is_empty() {
            return Ok(0);
        }
        let mut taken = None;
        let go = |session: &mut Session<'_>| {
            let mut tried = BTreeSet::new();
            for one in &forms {
                if tried.insert(one.tree.digest()) && try_form(session, one)? {
                    taken = Some(one.n_calls as u64);
                    leave_out_dead_code(session)?;
                    session.judge_again()?;
                    return then(session, round).map(drop);
                }
            }
            Ok(())
        };
        let has_paid = session.on_trial(Stage::Carve, go, |session, end| {
            session.best.is_beaten_by(end)
        })?;
        session.ledger.not_carved = match taken {
            Some(n_calls) if has_paid => {
                session.ledger.carved_calls = n_calls;
                None
            }
            _ if is_again => None,
            Some(_) => Some("its straight line does not get smaller than it"),
            None => obstacle.or(Some(
                "no straight line of its calls fails in the same way for the same bug",
            )),
        };
        Ok(u64::from(has_paid))
    })?;
    session
        .mode
        .note_carving(session.best().tree.count_tokens());
    Ok(accepted)
}

/// The forms in which the test is written anew, with its own macros expanded where these can be.
fn carved_forms(session: &Session<'_>) -> Result<Carving, Failure> {
    let best = session.best();
    let carved = |from: &Candidate| {
        let tools = &session.tools;
        tools.in_turn(|oracle, cancel| oracle.carved(from, cancel))
    };
    let most = most_tokens_of_expansion(&best.tree);
    if let Some(expanded) = with_macros_inlined(&best.tree, most) {
        let carving = carved(&best.with_tree(expanded))?;
        if !carving.forms.is_empty() {
            return Ok(carving);
        }
    }
    carved(best)
}

/// Puts a carved form in place of the test, if it fails in the same way and shows the same bug. Returns whether it does. A
/// form that has other outcomes than the original under mutants is judged by the mends, and one that fails otherwise by them alone.
fn try_form(session: &mut Session<'_>, carved: &Carved) -> Result<bool, Failure> {
    let form = session.best().with_tree(carved.tree.clone());
    let is_judged = carved.expects_anew || {
        if try_candidate(session, form.clone())? {
            return Ok(true);
        }
        session.is_refused_by_guard(&form)
    };
    if session.is_cancelled() || !is_judged {
        return Ok(false);
    }
    let judged = session
        .tools
        .in_turn(|oracle, cancel| oracle.judged_anew(&form, cancel))?;
    let Some(judged) = judged else {
        return Ok(false);
    };
    if judged.is_decided {
        session.learn_interesting(&judged.candidate);
    }
    try_candidate(session, judged.candidate)
}

fn try_candidate(session: &mut Session<'_>, candidate: Candidate) -> Result<bool, Failure> {
    let alternatives = Alternatives {
        candidates: vec![candidate],
        kind: "carved form",
    };
    let accepted = session.of_any_size(|session| alternatives.try_in(session))?;
    Ok(accepted > 0)
}
