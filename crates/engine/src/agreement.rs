//! Mutant agreement: what keeps a reduced test about the bug that it fails for.
//!
//! The code under test (`code_under_test`) is compiled once with switches (`switches`, and `rest` for the crate of a
//! unit test, with as many of them as compile: `compiling`). What cannot flow into the assertion that fails is left out
//! (`isolate`), and the test is run (`trial`) under the mutants that it passes (`outcomes`). A few of them that tell much
//! and break few other tests (`other_tests`, in each `test_target`, of which `quick_tests` are run, also of `tests_beside`; `plausible`) are asked about each
//! candidate. They also show where to look (`suspicion`): which lines change the outcome, and a change that may be right
//! (`diff`). With `--whole` they say what of the code under test has to stay (`keep_set`). Where another version says what is
//! right, the test is isolated without mutants (`for_version`).
//!
//! See docs/decisions/mutation-guard.md.

mod code_under_test;
mod compiling;
mod diff;
mod for_version;
mod isolate;
mod keep_set;
mod other_tests;
mod outcome;
mod outcomes;
mod plausible;
mod quick_tests;
mod random_tests;
mod rest;
mod suspicion;
mod switches;
mod test_target;
#[cfg(test)]
mod testing;
mod tests_beside;
mod trial;

use crate::context::Context;
use crate::event::Event;
use crate::failure::Failure;
use crate::figures::CodeUnderTest;
use crate::marked::{MarkedCode, MutatedCrate};
use crate::question::Guard;
use crate::request::Fidelity;
use crate::unit_test::UnitTest;
use camino::Utf8PathBuf;
pub(crate) use compiling::compiling;
pub(crate) use for_version::isolate_for_version;
use keep_set::{End, PassedMutants, keep_set};
pub(crate) use outcome::{OtherTests, Outcome};
use outcomes::KnownMutants;
use outcomes::Outcomes;
use reduce_mutants::{MUTANT_VARIABLE, Mutant, MutantId, REACHED_VARIABLE};
use reduce_oracle::{
    CrashKind, Expected, FunctionLines, Goal, Own, Plan, Signature, Unit, VariantOutcome,
    VariantRuns, Variants,
};
use reduce_passes::{
    ExpectedLiterals, changes_behind_references, functions_of_assertion_macros, has_predicates,
    is_assertion_name,
};
use reduce_syntax::SourceTree;
use rest::RestOfCrate;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use switches::Switches;
use tests_beside::{tests_beside, tests_of_crate};
use trial::{Trial, Tried};

/// The number of mutants below which they do not guard an assertion: a single one may tell of something
/// beside the bug.
const FEWEST_ASKED: usize = 2;

/// The findings about a test and the code under test, by which candidates are guarded.
#[derive(Default)]
pub(crate) struct Prepared {
    /// The test without what cannot flow into its failing assertion; absent where the test could not be run.
    pub(crate) isolated: Option<SourceTree>,
    /// Whether the failure may have other values: the right answer changes with the input.
    pub(crate) ignores_values: bool,
    /// Whether the test takes a value out of a `Result` or an `Option` that has none, and fails
    /// there.
    pub(crate) unwraps: bool,
    /// The failure of the test where its assertion was changed.
    pub(crate) changed: Option<Signature>,
    /// Whether the test's assertion compares a part of what it compared.
    pub(crate) is_narrowed: bool,
    /// Whether the test calls functions that set a field which the code under test does not read.
    pub(crate) sets_in_vain: bool,
    /// Literals that must not become fewer.
    pub(crate) literals: ExpectedLiterals,
    /// The guard that candidates must agree with; absent where no mutant tells anything.
    pub(crate) guard: Option<Guard>,
    /// The facts that are known of the code under test; absent where it could not be run with
    /// mutants.
    pub(crate) facts: Option<Facts>,
    /// The code under test, with marks at the points that have to stay, with `--whole`.
    pub(crate) marked: Option<MarkedCode>,
    /// The warning for the user: the reason why candidates are not run under mutants.
    pub(crate) warning: Option<String>,
    /// The compiler runs that the preparation took.
    pub(crate) runs: u64,
    /// The time that the preparation took.
    pub(crate) time: Duration,
    /// The cost of the runs of candidates under mutants so far.
    pub(crate) spent: Arc<VariantRuns>,
}

impl Prepared {
    /// Returns the figures of the code under test, where so many candidates were refused; `None` where the reduction
    /// was not to be guarded.
    pub(crate) fn code_under_test(&self, refused: u64) -> Option<CodeUnderTest> {
        let known = self.facts.as_ref();
        let known = known.map(|facts| suspicion::code_under_test(facts, refused));
        if known.is_none() && self.warning.is_none() && !self.is_narrowed {
            return None;
        }
        Some(CodeUnderTest {
            warning: self.warning.clone(),
            runs: self.spent.runs(),
            seconds: self.spent.time().as_secs_f64(),
            seconds_before: self.time.as_secs_f64(),
            narrowed: self.is_narrowed,
            ..known.unwrap_or_default()
        })
    }
}

/// The facts that runs of the original have shown of the code under test.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// The mutated crates.
    pub(crate) crates: Vec<MutatedCrate>,
    /// The failure of the original with switches, as far as it is compared.
    pub(crate) failure: Signature,
    /// The mutants whose places the original passes.
    pub(crate) passed: BTreeSet<MutantId>,
    /// The outcomes of the original under the mutants that it was run with.
    pub(crate) outcomes: Vec<(MutantId, Outcome)>,
    /// The mutants under which each candidate is asked.
    pub(crate) asked: Vec<MutantId>,
    /// The outcomes of the package's other tests.
    pub(crate) others: OtherTests,
    /// The function that the bug is probably in, if the mutants say so.
    pub(crate) located_in: Option<String>,
}

/// Whether the cause of a failing test has to stay. Then the code under test stays as it is while the test is reduced.
pub(crate) fn keeps_cause(context: &Context<'_>) -> bool {
    let property = &context.request.property;
    matches!(property.goal, Goal::Test { .. }) && property.fidelity != Fidelity::Free
}

/// Whether the test alone is reduced.
pub(crate) fn reduces_test_alone(context: &Context<'_>) -> bool {
    keeps_cause(context) && context.request.property.fidelity == Fidelity::Test
}

/// Whether the code under test is reduced after the test.
pub(crate) fn goes_on_into_code_under_test(context: &Context<'_>) -> bool {
    keeps_cause(context) && context.request.property.fidelity == Fidelity::Whole
}

/// The place of the code under test.
#[derive(Clone, Copy)]
pub(crate) enum CodePlace<'p> {
    /// The code under test is in crates that the test links.
    Linked,
    /// The code under test is in the crate of a unit test, which is reduced apart from it.
    Beside(&'p UnitTest),
    /// The code under test is in the crate of a unit test, which is reduced as a whole.
    Within,
}

/// Compiles the code under test with switches, and finds out which mutants tell something.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn prepare(
    context: &Context<'_>,
    plan: &Plan,
    units: &[Unit],
    original: &SourceTree,
    place: CodePlace<'_>,
) -> Result<Prepared, Failure> {
    let started = Instant::now();
    let prepared = prepare_in(context, plan, units, original, place)?;
    Ok(Prepared {
        time: started.elapsed(),
        ..prepared
    })
}

fn prepare_in(
    context: &Context<'_>,
    plan: &Plan,
    units: &[Unit],
    original: &SourceTree,
    place: CodePlace<'_>,
) -> Result<Prepared, Failure> {
    let doing = |what: &str| {
        let what = what.to_owned();
        (context.emit)(Event::Preparing { what });
    };
    doing("compiling the code under test with mutants");
    let rest = match place {
        CodePlace::Linked => None,
        CodePlace::Beside(test) => Some(RestOfCrate {
            fixed: &test.fixed,
            tests: Some(original),
        }),
        CodePlace::Within => Some(RestOfCrate {
            fixed: original,
            tests: None,
        }),
    };
    let switches = Switches::of(context, plan, units, (original, rest.as_ref()))?;
    let unguarded = |reason| unguarded(reason, &switches.others);
    let mut prepared = Prepared {
        guard: None,
        runs: switches.runs,
        ..Prepared::default()
    };
    let asserting = Asserting::of(&switches.crates);
    let mut mutants = switches.mutants();
    // A mutant in an assertion under which the test passes tells nothing of the values that it
    // asserts.
    mutants.retain(|one| !asserting.mutants.contains(&one.id));
    if mutants.is_empty() {
        prepared.warning = Some(unguarded("there is no code under test that can be mutated"));
        return Ok(prepared);
    }
    doing("running the test under mutants of the code under test");
    let beside = match place {
        CodePlace::Linked => tests_beside(plan, units, &switches)?,
        // A library that is the test's own crate is linked without switches by integration tests.
        CodePlace::Beside(test) => tests_of_crate(plan, test, &switches).into_iter().collect(),
        CodePlace::Within => Vec::new(),
    };
    let mut plan = switches.switched.plan(plan);
    if rest.is_some() {
        // Its own crate has switches too, and takes longer.
        plan.run_policy.limits.usual = None;
    }
    let is_whole = goes_on_into_code_under_test(context);
    // The code under test is only marked where it is reduced after the test.
    let markable = match is_whole {
        true => switches.crates.iter().map(MutatedCrate::markable).collect(),
        false => switches.crates.clone(),
    };
    let all_markable = markable.iter().flat_map(|one| &one.mutants);
    let ids_of_markable = all_markable.map(|one| one.id).collect();
    let own = Own {
        is_all: is_whole,
        asserting: asserting.functions,
        ..own_files(&plan, original)
    };
    let known = KnownMutants {
        all: &mutants,
        markable: &ids_of_markable,
    };
    let mut code = switches.crates.iter();
    let changes_hidden = code.any(|one| changes_behind_references(&one.sources))
        || changes_behind_references(original);
    let trial = Trial {
        context,
        plan,
        original: switches.own.as_ref().unwrap_or(original),
        has_switches: switches.own.is_some(),
        own,
        only_reads: !changes_hidden,
        beside,
    };
    let Tried {
        isolated,
        own,
        outcomes,
    } = match trial.outcomes(known)? {
        Ok(tried) => tried,
        Err(reason) => {
            prepared.warning = Some(unguarded(reason));
            return Ok(prepared);
        }
    };
    prepared.runs += isolated.runs;
    let is_judged_by_test = !is_whole && is_judged_by_test(&isolated.tree, &outcomes);
    prepared.isolated = switches.own.is_none().then_some(isolated.tree);
    prepared.unwraps = isolated.unwraps;
    prepared.changed = isolated.changed;
    prepared.is_narrowed = isolated.is_narrowed;
    prepared.literals = isolated.literals;
    prepared.ignores_values = !own.compares_values;
    prepared.sets_in_vain = outcomes.sets_in_vain;
    if is_whole {
        prepared.marked = Some(marked(&markable, &outcomes));
    }
    prepared.facts = Some(Facts {
        crates: switches.crates,
        failure: outcomes.failure.clone(),
        passed: outcomes.passed,
        outcomes: outcomes.all,
        asked: outcomes.asked.iter().map(|(id, _)| *id).collect(),
        others: outcomes.others,
        located_in: outcomes.located_in.clone(),
    });
    let is_ended_early =
        outcomes.failure.kind == CrashKind::ErrorReturned && outcomes.passed_in_success.is_empty();
    let is_caught = outcomes.failure.has_caught_panic()
        && outcomes
            .asked_when_merged
            .iter()
            .all(|(_, failure)| failure.is_some());
    let is_located = outcomes.located_in.is_some();
    let needs_several = outcomes.is_own && !is_located;
    let should_panic = outcomes.failure.kind == CrashKind::NoPanic && !is_whole;
    let weakness = match outcomes.asked_when_merged.is_empty() {
        true if should_panic => {
            Some("no mutant that is known to break no other test lets the test panic as it should")
        }
        false if should_panic => None,
        _ if is_ended_early => {
            Some("the test returns an error, and no mutant shows what comes after that")
        }
        _ if is_caught => {
            Some("its harness catches the panic, and the test passes under no mutant")
        }
        _ if is_judged_by_test => {
            Some("a function of the test says what is right, and does so under no mutant")
        }
        _ => weakness(outcomes.asked_when_merged.len(), needs_several),
    };
    prepared.warning = weakness.map(unguarded);
    if !outcomes.asked.is_empty() {
        let execution = trial.plan.execution().expect("a test is run").clone();
        let linked = Expected {
            variable: MUTANT_VARIABLE.to_owned(),
            failure: outcomes.failure,
            outcomes: under_mutants(match is_whole {
                true => both(outcomes.asked, &outcomes.asked_when_merged),
                false => outcomes.asked,
            }),
            record: REACHED_VARIABLE.to_owned(),
            entered: numbers(outcomes.entered.clone()),
            own,
        };
        let merged = is_whole.then(|| Expected {
            outcomes: under_mutants(outcomes.asked_when_merged),
            entered: numbers(&outcomes.entered & &ids_of_markable),
            ..linked.clone()
        });
        let agreement = Variants::new(switches.switched, execution, linked, outcomes.usual);
        prepared.spent = agreement.spent();
        prepared.guard = Some(Guard::new(agreement, merged).located(is_located));
    }
    Ok(prepared)
}

/// Whether functions of the test itself may say what is right, and never do. A function that always says no fails as well.
fn is_judged_by_test(tests: &SourceTree, outcomes: &Outcomes) -> bool {
    let failure = &outcomes.failure;
    let is_judged = match failure.compared() {
        Some(values) => values
            .iter()
            .all(|value| matches!(*value, "true" | "false")),
        None => failure.kind == CrashKind::Assertion,
    };
    let is_never = outcomes.is_own && outcomes.passed_in_success.is_empty();
    is_judged && is_never && has_predicates(tests)
}

/// Marks the code under test at the points that matter, and at those that a mended program may come
/// to.
fn marked(crates: &[MutatedCrate], outcomes: &Outcomes) -> MarkedCode {
    let matter = outcomes.matter(crates.iter().flat_map(|one| &one.mutants));
    let keep_set = keep_set(
        crates,
        &PassedMutants {
            failing: &outcomes.passed,
            success: &outcomes.passed_in_success,
            matter: &matter,
            end: match outcomes.failure.kind {
                CrashKind::NoPanic => End::Whole,
                CrashKind::Assertion if outcomes.is_own => End::Assertion,
                _ => End::Early,
            },
        },
    );
    let run = &outcomes.passed_under_any | &keep_set.mutants;
    let stay = &matter | &keep_set.mutants;
    MarkedCode::new(crates, &run, &stay).knowing_rest(keep_set.is_seen)
}

/// Returns the reason why so many mutants do not guard a test, if they do not. Several are needed if it fails in its own
/// text, and not in the code under test: a panic there tells what is wrong without them. A single one is enough where it is
/// known to be where the bug is.
fn weakness(n_asked: usize, needs_several: bool) -> Option<&'static str> {
    match n_asked {
        0 => Some("no mutant of the code under test changes the outcome of the test"),
        few if needs_several && few < FEWEST_ASKED => {
            Some("too few mutants of the code under test change the outcome of the test")
        }
        _ => None,
    }
}

/// Joins the mutants that are asked while the code under test is linked with those of the others that are asked once it has been
/// merged: what a candidate has lost by then would be missed after that.
fn both<F: Clone>(linked: Vec<(MutantId, F)>, merged: &[(MutantId, F)]) -> Vec<(MutantId, F)> {
    let is_new = |(id, _): &&(MutantId, F)| linked.iter().all(|(other, _)| other != id);
    let merged: Vec<_> = merged.iter().filter(is_new).cloned().collect();
    linked.into_iter().chain(merged).collect()
}

/// Returns the outcomes of the original under mutants, as a candidate is asked for them.
fn under_mutants(outcomes: Vec<(MutantId, Option<Signature>)>) -> Vec<VariantOutcome> {
    let outcomes = outcomes.into_iter();
    let under_mutants = outcomes.map(|(id, failure)| VariantOutcome {
        setting: id.to_string(),
        failure,
    });
    under_mutants.collect()
}

/// Returns the plain numbers of mutants, as the oracle takes them.
fn numbers(ids: BTreeSet<MutantId>) -> BTreeSet<u32> {
    ids.into_iter().map(|id| id.0).collect()
}

/// Returns the warning of a reduction that no mutant guards, where these packages could be mutated
/// too.
fn unguarded(reason: &str, others: &BTreeSet<String>) -> String {
    let more = match others.is_empty() {
        true => String::new(),
        false => {
            let flags = others.iter().map(|name| format!("`--mutate {name}`"));
            let flags = flags.collect::<Vec<_>>().join(" or ");
            format!(". If the bug may be in a package outside of the workspace, give {flags}")
        }
    };
    format!(
        "only what does not change what the test computes is tried, as mutants of the code under test do not say \
         whether the test still shows the bug: {reason}{more}"
    )
}

/// Returns the files of the test as panics name them.
fn own_files(plan: &Plan, original: &SourceTree) -> Own {
    let paths = original.files().map(|(_, path, _)| path);
    let both = paths.flat_map(|path| {
        let relative = path.strip_prefix(&plan.call.cwd).ok();
        [Some(path.to_owned()), relative.map(Utf8PathBuf::from)]
    });
    Own {
        files: both.flatten().collect(),
        compares_values: true,
        ..Own::default()
    }
}

/// The functions of the code under test that assert something for their callers: by their names, or as macros whose names say so
/// call them and they panic.
#[derive(Default)]
struct Asserting {
    functions: Vec<FunctionLines>,
    /// The mutants in the asserting functions.
    mutants: BTreeSet<MutantId>,
}

impl Asserting {
    fn of(crates: &[MutatedCrate]) -> Self {
        let mut found = Self::default();
        for one in crates {
            let called = functions_of_assertion_macros(&one.sources);
            let is_asserting = |mutant: &&Mutant| {
                let name = mutant.function.rsplit("::").next().unwrap_or_default();
                let body = &one.sources.text(mutant.file)[mutant.function_range.clone()];
                is_assertion_name(name) || called.contains(name) && body.contains("panic!")
            };
            for mutant in one.mutants.iter().filter(is_asserting) {
                found.add(one, mutant);
            }
        }
        found
    }

    fn add(&mut self, krate: &MutatedCrate, mutant: &Mutant) {
        let function = suspicion::function(krate, mutant);
        let line = |line: u64| u32::try_from(line).unwrap_or(u32::MAX);
        let lines = FunctionLines {
            file: function.file.into(),
            lines: (line(function.first_line), line(function.last_line)),
        };
        if !self.functions.contains(&lines) {
            self.functions.push(lines);
        }
        self.mutants.insert(mutant.id);
    }
}
