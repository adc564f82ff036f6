//! The tidying of a search's best program when the search was stopped, so that it reads like the result of a finished
//! one. It does not belong to the search: each form is looked at once, as the result is.
//!
//! Whoever stops a search by Ctrl-C gets the layout alone, without comments, and of a large program not even that. Where a search ends early otherwise, a few
//! looks are spent on what a person would do first: unused imports, visibilities, hints, flags, names and order.

use super::readable::{layouts, with, without_docs};
use super::row::Condition;
use crate::ask::{CompilerOracle, CompilerTools, JobFacts};
use crate::candidate::Candidate;
use crate::failure::{Failure, unless_stopped};
use crate::figures::Ended;
use crate::hurry::{MOST_TOKENS, WITH_SMALL, for_a_moment};
use crate::propose::{Methods, RemovableFlags};
use crate::request::Stage;
use crate::session::Session;
use crate::turns::Work;
use reduce_oracle::Cancel;
use reduce_passes::{canonical_names, idiomatic_order, without_hints, without_visibilities};
use reduce_syntax::{EditSet, SourceTree};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The largest number of candidates that are checked before the layout.
const MOST_LOOKS: u64 = 12;
/// The time after which no more candidates are checked, where a limit of time has ended the search.
const LONGEST: Duration = Duration::from_secs(10);

/// Tidies the best program by the rows of a table, and returns the number of compiler runs that
/// this took.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn tidy(
    session: &mut Session<'_>,
    methods: &Methods,
    oracle: &CompilerOracle,
    (ended, rows): (Ended, &[TidyRow]),
) -> Result<u64, Failure> {
    let mut runs = 0;
    let began = Instant::now();
    // A measurement takes long, and one look says little of what fails now and then.
    if ended != Ended::Cancelled && oracle.must_be_stable() {
        let (cancel, turns) = (session.tools.cancel, &session.tools.control.turns);
        let mut tidying = Tidying {
            is_over: &|n_looks| {
                n_looks >= MOST_LOOKS || ended != Ended::MaxQueries && began.elapsed() > LONGEST
            },
            look: &mut |candidate| {
                let _turn = turns.wait(Work::Query, cancel);
                look(oracle, candidate, &mut runs, cancel)
            },
            n_looks: 0,
        };
        let flags = match oracle.runs_programs() {
            true => RemovableFlags::default(),
            false => oracle.removable_flags(),
        };
        let methods = methods.clone().with_flags(flags);
        let tidied = tidying.all(session, &methods, rows);
        unless_stopped(tidied, cancel)?;
    }
    let is_hurried = session.tools.cancel.is_cancelled();
    let is_too_long = is_hurried && session.best().tree.count_tokens() > MOST_TOKENS;
    if methods.options.passes.contains(Stage::Print) && !is_too_long {
        // The search was stopped; this was not.
        let patient = Cancel::new().map_err(|error| Failure::io("make a pipe", &error))?;
        let began = Instant::now();
        // Files that the formatter has not seen by then get another layout.
        let format = |text: &str| match is_hurried && began.elapsed() > WITH_SMALL {
            true => Ok(None),
            false => oracle.format(text, &patient),
        };
        let (user, mut is_late) = (session.tools.cancel.clone(), false);
        let look = &mut |candidate: &Candidate| {
            if is_late {
                return Ok(false);
            }
            let looked = for_a_moment(&user, WITH_SMALL, |patient| {
                look(oracle, candidate, &mut runs, patient)
            })?;
            is_late = looked.is_none();
            Ok(looked.unwrap_or(false))
        };
        session.in_stage(Stage::Print, 1, |session| lay_out(session, &format, look))?;
    }
    Ok(runs)
}

/// Compiles a candidate as a person would, and returns whether it shows the failure.
fn look(
    oracle: &CompilerOracle,
    candidate: &Candidate,
    runs: &mut u64,
    cancel: &Cancel,
) -> Result<bool, Failure> {
    let plan = oracle.plan(&candidate.compile_options);
    let shown = oracle.show(&plan, candidate, cancel)?;
    *runs += u64::from(shown.runs) + plan.run_policy.companions.len() as u64;
    Ok(oracle.is_interesting(&candidate.compile_options, &shown)
        && oracle.holds_elsewhere(&plan, &candidate.tree, cancel)?)
}

/// A function that compiles a candidate and says whether it shows the failure.
pub(super) type Look<'a> = dyn FnMut(&Candidate) -> Result<bool, Failure> + 'a;

/// Lays the best program out as rustfmt does, without comments if it still fails then. Two looks
/// are enough for that as a rule.
pub(super) fn lay_out(
    session: &mut Session<'_>,
    format: &dyn Fn(&str) -> Result<Option<String>, Failure>,
    look: &mut Look<'_>,
) -> Result<(), Failure> {
    let best = session.best().clone();
    let mut try_layout =
        |tree: SourceTree| take_if_interesting(session, best.with_tree(tree), look);
    let bare = without_docs(&best.tree);
    let [formatted, _, by_tokens] = layouts(&bare, format)?;
    if try_layout(formatted)? {
        return Ok(());
    }
    let mut last = by_tokens;
    if bare != best.tree {
        let [with_docs, _, by_tokens] = layouts(&best.tree, format)?;
        if try_layout(with_docs)? {
            return Ok(());
        }
        last = by_tokens;
    }
    try_layout(last).map(drop)
}

/// Takes a candidate in place of the best so far if it differs and shows the failure. Returns whether it is there now.
fn take_if_interesting(
    session: &mut Session<'_>,
    candidate: Candidate,
    look: &mut Look<'_>,
) -> Result<bool, Failure> {
    if candidate == *session.best() {
        return Ok(true);
    }
    let is_interesting = look(&candidate)?;
    if is_interesting {
        session.end_with(candidate)?;
    }
    Ok(is_interesting)
}

/// The state of a tidying: the number of candidates that were checked, and when it is over.
pub(super) struct Tidying<'a> {
    /// A function that says whether a tidying is over after so many checked candidates.
    pub(super) is_over: &'a dyn Fn(u64) -> bool,
    pub(super) look: &'a mut Look<'a>,
    pub(super) n_looks: u64,
}

/// A function that tidies one thing about a program, such as unused imports or names.
pub(super) type Tidy = fn(&mut Tidying<'_>, &mut Session<'_>, &Methods) -> Result<(), Failure>;

/// A row of the table of tidying: its stage, its condition if it has one, and the function that does it.
pub(super) type TidyRow = (Stage, Option<Condition>, Tidy);

impl Tidying<'_> {
    pub(super) fn all(
        &mut self,
        session: &mut Session<'_>,
        methods: &Methods,
        rows: &[TidyRow],
    ) -> Result<(), Failure> {
        let is_chosen = |stage| methods.options.passes.contains(stage);
        for (stage, condition, tidy) in rows {
            let is_due = condition.is_none_or(|condition| (condition.holds)(session, methods));
            if is_chosen(*stage) && is_due {
                session.in_stage(*stage, 1, |session| tidy(self, session, methods))?;
            }
        }
        Ok(())
    }

    pub(super) fn leave_unused_out(&mut self, session: &mut Session<'_>) -> Result<(), Failure> {
        let unused = session
            .tools
            .in_turn(|oracle, cancel| oracle.unused(session.best(), cancel))?;
        self.edit(session, Some(unused))
    }

    pub(super) fn leave_visibilities_out(
        &mut self,
        session: &mut Session<'_>,
    ) -> Result<(), Failure> {
        let edits = without_visibilities(&session.program());
        self.edit(session, edits)?;
        let edits = without_hints(&session.program());
        self.edit(session, edits)
    }

    pub(super) fn rename(&mut self, session: &mut Session<'_>) -> Result<(), Failure> {
        let best = &session.best().tree;
        let renamed = with(best, &canonical_names(best));
        self.take(session, renamed)
    }

    pub(super) fn order(&mut self, session: &mut Session<'_>) -> Result<(), Failure> {
        let edits = idiomatic_order(&session.best().tree);
        self.edit(session, edits)
    }

    fn edit(&mut self, session: &mut Session<'_>, edits: Option<EditSet>) -> Result<(), Failure> {
        let Some(edits) = edits else { return Ok(()) };
        let edited = edits.apply(&session.best().tree);
        self.take(session, edited)
    }

    fn take(&mut self, session: &mut Session<'_>, tree: SourceTree) -> Result<(), Failure> {
        let candidate = session.best().with_tree(tree);
        self.try_instead(session, candidate).map(drop)
    }

    /// Leaves out all compiler flags, or else each one that the failure does not need.
    pub(super) fn leave_flags_out(
        &mut self,
        session: &mut Session<'_>,
        methods: &Methods,
    ) -> Result<(), Failure> {
        let without = |session: &Session<'_>, more: &[usize]| {
            let mut candidate = session.best().clone();
            let mut left_out = candidate.compile_options.left_out.to_vec();
            left_out.extend(more);
            left_out.sort_unstable();
            left_out.dedup();
            candidate.compile_options.left_out = Arc::new(left_out);
            candidate
        };
        let all: Vec<usize> = (0..methods.flags.groups).collect();
        let bare = without(session, &all);
        if self.try_instead(session, bare)? {
            return Ok(());
        }
        for group in all {
            let fewer = without(session, &[group]);
            self.try_instead(session, fewer)?;
        }
        Ok(())
    }

    /// Takes a candidate as [`take_if_interesting`] does, if more candidates may be checked.
    fn try_instead(
        &mut self,
        session: &mut Session<'_>,
        candidate: Candidate,
    ) -> Result<bool, Failure> {
        let (n_looks, is_over, look) = (&mut self.n_looks, self.is_over, &mut *self.look);
        if candidate != *session.best() && is_over(*n_looks) {
            return Ok(false);
        }
        take_if_interesting(session, candidate, &mut |candidate| {
            *n_looks += 1;
            look(candidate)
        })
    }
}
