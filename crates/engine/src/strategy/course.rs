//! The course of a search: what it begins with, and how it goes on until nothing more can go. It reads the table of stages
//! (`stages`), and knows none of them by name.

use super::at_once::{run_at_once, run_once};
use super::readable::leave_marks_out;
use super::row::{Does, Phase, Row};
use super::run_pass::run_passes;
use super::stages;
use super::verify::verify_minimal;
use crate::ask::CompilerOracle;
use crate::failure::Failure;
use crate::figures::{Ended, Verification};
use crate::propose::Methods;
use crate::request::Part;
use crate::session::Session;
use reduce_passes::{EMPTYING_BODIES, Pass};

/// The share of a program's tokens, as a divisor, below which a round has brought little.
const LITTLE: u64 = 20;

/// Does all rows of a phase in the table of stages, one after the other. Returns how many
/// candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run(
    session: &mut Session<'_>,
    methods: &Methods,
    phase: &Phase,
    round: u32,
) -> Result<u64, Failure> {
    run_rows(session, methods, phase.rows, round)
}

/// Does all rows of the phase with which a part of the search ends, and closes the figures of that
/// part.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_part(
    session: &mut Session<'_>,
    methods: &Methods,
    phase: &Phase,
) -> Result<u64, Failure> {
    let accepted = run(session, methods, phase, 1)?;
    session.end_part(phase.part);
    Ok(accepted)
}

fn run_rows(
    session: &mut Session<'_>,
    methods: &Methods,
    rows: &[Row],
    round: u32,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    for row in rows {
        accepted += run_row(session, methods, row, round)?;
    }
    Ok(accepted)
}

pub(super) fn run_row(
    session: &mut Session<'_>,
    methods: &Methods,
    row: &Row,
    round: u32,
) -> Result<u64, Failure> {
    if session.is_cancelled() || !row.is_due(session, methods) {
        return Ok(0);
    }
    match row.does {
        Does::Stage(stage, work) => session.in_chosen_stage(methods, stage, round, |session| {
            work(session, methods, round)
        }),
        Does::OwnStage(stage, _) | Does::OnTrial(stage, ..)
            if !session.may_begin(methods, stage) =>
        {
            Ok(0)
        }
        Does::OwnStage(_, work) => work(session, methods, round),
        Does::OnTrial(_, trial, rows) => trial(session, methods, round, &|session, round| {
            run_rows(session, methods, rows, round)
        }),
        Does::Passes(passes) => run_passes(session, methods, in_order(methods, passes), round),
        Does::AtOnce(passes) => run_at_once(session, methods, passes, round),
        Does::Strategy => run_once(session, methods, round),
        Does::Rows(rows) => run_rows(session, methods, rows, round),
        Does::Rounds => run_rounds(session, methods, round).map(|()| 0),
    }
}

/// Returns the passes in the order in which they are made: those that empty bodies come last if functions that did not
/// run have empty bodies already.
fn in_order(methods: &Methods, passes: &'static [Pass]) -> Vec<&'static Pass> {
    let comes_last = |pass: &&Pass| methods.bodies_come_last && pass.is_one_of(EMPTYING_BODIES);
    let (last, mut all): (Vec<_>, Vec<_>) = passes.iter().partition(comes_last);
    all.extend(last);
    all
}

/// Runs the chosen strategy until a whole round of it brings nothing, or the session is cancelled.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_to_fixpoint(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    let mut first_round = 1;
    if methods.is_staged() {
        run_first(session, methods)?;
        first_round += 1;
    }
    run_rounds(session, methods, first_round)?;
    for row in stages::AFTER_ROUNDS.rows {
        while run_row(session, methods, row, first_round)? > 0 {
            run_rounds(session, methods, first_round)?;
        }
    }
    while run(session, methods, &stages::LOCAL_STD, first_round)? > 0 {}
    Ok(())
}

/// Removes most of a program, before the rounds.
fn run_first(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    session.ledger.begin_round(true);
    run_part(session, methods, &stages::FIRST)?;
    while run(session, methods, &stages::CRATES, 1)? > 0 {
        session.end_part(stages::CRATES.part);
        session.ledger.begin_round(true);
        run_part(session, methods, &stages::EACH_CRATE)?;
    }
    let mut rest = stages::REST.rows.iter();
    if let Some(row) = rest.find(|row| row.is_due(session, methods)) {
        run_row(session, methods, row, 1)?;
    }
    Ok(())
}

/// Repeats rounds of the search until a round of all edits brings nothing.
fn run_rounds(
    session: &mut Session<'_>,
    methods: &Methods,
    first_round: u32,
) -> Result<(), Failure> {
    let mut methods = methods;
    let alone = methods.clone().without_users();
    for round in first_round.. {
        session.judge_again()?;
        run(session, methods, &stages::BEFORE_ROUND, round)?;
        let mut accepted = match run_round(session, methods, round)? {
            Some(accepted) => accepted,
            None => {
                // A part that only seemed to be a user has kept what it uses.
                methods = &alone;
                run_round_of_everything(session, methods, round)?
            }
        };
        if accepted == 0 {
            accepted = session.ask_late_again(round)?;
        }
        if accepted == 0 || session.is_cancelled() {
            session.end_at_fixpoint();
            return Ok(());
        }
    }
    Ok(())
}

/// Makes a round of the edits that did not fail before, and of what is tried when it has brought little. Returns how much
/// that was; `None` where it was nothing, and all edits are to be tried.
fn run_round(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<Option<u64>, Failure> {
    session.ledger.begin_round(true);
    let before = session.best().tree.count_tokens();
    let mut accepted = run(session, methods, &stages::ROUND, round)?;
    let gained = before.saturating_sub(session.best().tree.count_tokens());
    if methods.is_rough || gained * LITTLE > before {
        return Ok(Some(accepted));
    }
    accepted += run(session, methods, &stages::ROUND_OF_LITTLE, round)?;
    Ok(Some(accepted).filter(|accepted| *accepted > 0))
}

/// Makes a round of all edits, and then of changes that take more than one edit. It ends with the first row that brings
/// something. Returns how much that was.
fn run_round_of_everything(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    session.ledger.begin_round(false);
    for row in stages::ROUND_OF_EVERYTHING.rows {
        let accepted = run_row(session, methods, row, round)?;
        if accepted > 0 {
            return Ok(accepted);
        }
    }
    Ok(0)
}

/// Searches until nothing more can go, and makes the result readable. Where that is to be proved and is not so, as names and
/// layout have changed what a pass may do, it goes on.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_to_end(
    session: &mut Session<'_>,
    methods: &Methods,
) -> Result<Option<Verification>, Failure> {
    let mut n_mended = 0;
    loop {
        run_to_fixpoint(session, methods)?;
        session.end_part(Part::FinePasses);
        run_part(session, methods, &stages::FLAGS)?;
        session.without_checkpoints(|session| {
            leave_marks_out(session)?;
            run_part(session, methods, &stages::READABLE)
        })?;
        if !methods.options.verify_minimal || session.is_cancelled() {
            return Ok(None);
        }
        let before = session.best().tree.clone();
        let Verification { edits, accepted } = verify_minimal(session, methods)?;
        n_mended += accepted;
        if accepted == 0 {
            let accepted = n_mended;
            return Ok(Some(Verification { edits, accepted }));
        }
        if session.best().tree.count_tokens() >= before.count_tokens() {
            // Names and layout would only undo it.
            return Ok(None);
        }
    }
}

/// Tidies the best program of a search that was stopped, and returns the runs that it took.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn tidy(
    session: &mut Session<'_>,
    methods: &Methods,
    oracle: &CompilerOracle,
    ended: Ended,
) -> Result<u64, Failure> {
    super::tidy::tidy(session, methods, oracle, (ended, stages::TIDY))
}
