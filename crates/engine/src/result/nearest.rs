//! The nearest programs that do not crash: what the compiler says of the result once one thing in it is different. Where a
//! program without a bound compiles, whoever looks for the cause knows to begin with that bound.
//!
//! The edits are single ones of the passes, made on the result as it is delivered. A few of the smallest are asked about
//! like candidates of a search. Those that tell something are then compiled as a person would, and only what is seen
//! there is told: a query may have ended at the first error.
//!
//! See docs/decisions/output-and-text.md.

mod changes;
mod weight;

use crate::ask::CompilerOracle;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::figures::{NearestProgram, PlainError};
use crate::output::Place;
use crate::propose::single_edits;
use crate::session::Session;
use camino::Utf8Path;
use changes::{Change, smallest_first};
use reduce_oracle::Goal;
use std::collections::BTreeSet;
use weight::{Told, Weight, seen, weight};

/// The size in tokens above which a report has no nearest programs: a reduction that ended well
/// ends far below.
const MOST_TOKENS: u64 = 1000;
/// The largest number of edits that are asked about.
const MOST_ASKED: u64 = 40;
/// The largest number of edited programs that are compiled once more, as a person would do it.
const MOST_SHOWN: usize = 8;
/// The largest number of nearest programs that a report shows.
const MOST_TOLD: usize = 5;

/// The nearest programs that do not fail, and the number of compiler runs that it took to find
/// them.
#[derive(Default)]
pub(super) struct Nearest {
    pub(super) programs: Vec<NearestProgram>,
    pub(super) runs: u64,
}

impl Nearest {
    /// Whether there is a program with this error already: another one tells nothing more.
    fn has(&self, error: Option<&PlainError>) -> bool {
        let mut errors = self.programs.iter().map(|one| one.error.as_ref());
        error.is_some() && errors.any(|one| one == error)
    }
}

/// Finds the nearest programs that do not fail; those that tell most come first. None where the failure is not one of the compiler,
/// or comes and goes, or the result is large; and none where the user stops it. `errors` are those of the result.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn nearest_programs(
    context: &Context<'_>,
    session: &mut Session<'_>,
    (oracle, place): (&CompilerOracle, &Place),
    errors: &BTreeSet<String>,
) -> Result<Nearest, Failure> {
    let goal = &context.request.property.goal;
    let is_told = match goal {
        Goal::Ice | Goal::Incremental { .. } | Goal::Rustdoc | Goal::Clippy | Goal::Rustfmt => {
            let compile_options = &session.best().compile_options;
            oracle.signature(compile_options).noun() == "crash"
        }
        Goal::Error(_) => true,
        _ => false,
    };
    let is_large = session.best().tree.count_tokens() > MOST_TOKENS;
    if !is_told || oracle.may_pass() || is_large {
        return Ok(Nearest::default());
    }
    let what = "looking for the nearest programs that do not fail".to_owned();
    session.emit(Event::Preparing { what });
    let look = Look {
        context,
        oracle,
        best: session.best().clone(),
        root: &place.root,
        errors,
    };
    match find(&look, session) {
        // The result is there, and only this is missing.
        Err(failure) if failure.kind == FailureKind::Cancelled => Ok(Nearest::default()),
        found => found,
    }
}

fn find(look: &Look<'_>, session: &mut Session<'_>) -> Result<Nearest, Failure> {
    let Asked { strong, weak, runs } = ask(look, session)?;
    let mut nearest = look.tell(strong)?;
    if nearest.programs.is_empty() {
        let others = look.tell(weak)?;
        nearest.runs += others.runs;
        nearest.programs = others.programs;
    }
    nearest.runs += runs;
    Ok(nearest)
}

/// Changes that were asked about, first those that tell most about the crash.
struct Asked {
    strong: Vec<Change>,
    /// Changes that tell little about the crash, reported only where there is nothing else.
    weak: Vec<Change>,
    runs: u64,
}

/// Asks about the smallest changes.
fn ask(look: &Look<'_>, session: &mut Session<'_>) -> Result<Asked, Failure> {
    let tree = &look.best.tree;
    let edits = single_edits(&session.program(), look.context.request.search.passes);
    let (mut strong, mut weak, mut runs) = (Vec::new(), Vec::new(), 0);
    for change in smallest_first(edits, tree) {
        let candidate = look.best.with_tree(change.edits.apply(tree));
        let Some(verdict) = session.verdict_aside(&candidate)? else {
            continue;
        };
        match weight(&verdict, change.is_of_feature(tree)) {
            Some(Weight::Strong(weight)) => strong.push((weight + change.size(tree).0, change)),
            Some(Weight::Weak) => weak.push(change),
            None => {}
        }
        runs += 1;
        if runs == MOST_ASKED {
            break;
        }
    }
    strong.sort_by_key(|(weight, _)| *weight);
    let strong = strong.into_iter().map(|(_, change)| change).collect();
    Ok(Asked { strong, weak, runs })
}

/// The result that programs are compared with, and the means of comparing.
struct Look<'a> {
    context: &'a Context<'a>,
    oracle: &'a CompilerOracle,
    /// The result, and the path of its crate root.
    best: Candidate,
    root: &'a Utf8Path,
    /// The errors that the result has beside the crash.
    errors: &'a BTreeSet<String>,
}

impl Look<'_> {
    /// Makes one change after the other, compiles the program as a person would, and notes what does not fail. Of several
    /// changes at one place the first counts.
    fn tell(&self, changes: Vec<Change>) -> Result<Nearest, Failure> {
        let (tree, plan) = (
            &self.best.tree,
            self.oracle.plan(&self.best.compile_options),
        );
        let (mut nearest, mut told) = (Nearest::default(), Vec::<Change>::new());
        let mut n_shown = 0;
        for change in changes {
            if told.iter().any(|one| one.is_at_place_of(&change)) {
                continue;
            }
            if n_shown == MOST_SHOWN || told.len() == MOST_TOLD {
                break;
            }
            let program = self.best.with_tree(change.edits.apply(tree));
            let shown = self.oracle.show(&plan, &program, self.context.cancel)?;
            n_shown += 1;
            nearest.runs += u64::from(shown.runs);
            let is_same = |failure: &_| {
                self.oracle
                    .show_same_failure(&self.best.compile_options, std::slice::from_ref(failure))
            };
            if let Told::Instead(error) = seen(&shown, self.errors, is_same)
                && !nearest.has(error.as_ref())
            {
                let changes = change.told(tree, self.root);
                nearest.programs.push(NearestProgram { changes, error });
                told.push(change);
            }
        }
        Ok(nearest)
    }
}
