//! Finds the outcomes of the original test under each mutant, and chooses the mutants that tell
//! much.
//!
//! See docs/decisions/mutation-guard.md.

use crate::error::GuardError;
use crate::nearby::nearby;
use crate::outcome::{OtherTests, Outcome};
use crate::plausible::{Plausible, mending, mends, plausible};
use crate::test_target::under_mutant;
use reduce_mutants::{
    MUTANT_VARIABLE, Mutant, MutantId, Operator, REACHED_VARIABLE, by_function, choose,
    last_reached, reached, spread,
};
use reduce_oracle::{
    Came, Cancel, CrashKind, OriginalRun, Own, Plan, Signature, TimeSpent, Worker,
};
use reduce_syntax::TokenCursor;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The largest number of mutants that the original is run under, if a run takes no more CPU time than
/// [`QUICK`].
const MOST_RUN: usize = 600;
/// The largest number of mutants that the original is run under, if a run takes more CPU time than
/// a quick one.
const MOST_RUN_SLOWLY: usize = 96;
/// The largest number of further mutants that a quick original is run under, where it passes under none of the others.
const MOST_FURTHER: usize = 200;
/// The largest number of mutants that join a condition to another one and that a quick original is run under. Some of them lead into
/// loops without an end, which take long.
const MOST_JOINED: usize = 100;
/// The CPU time of a quick run, which few tests exceed.
pub(crate) const QUICK: Duration = Duration::from_millis(200);
/// The number of further runs of the original under each mutant that is chosen for candidates, if a run
/// is quick.
const RUNS_AGAIN: usize = 5;
/// The largest number of mutants that a candidate is run under.
const MOST_ASKED: usize = 12;
/// The number of chosen mutants below which one is added whose outcome may be chance.
const MOST_UNSURE: usize = 4;
/// The largest number of mutants that are chosen first because the test passes under them.
const MOST_PASSING: usize = 3;

/// A function that runs the other tests of the package under the mutants that change the outcome of
/// the failing test.
pub(crate) type AskOthers<'a> =
    dyn FnMut(&Signature, &[(MutantId, Outcome)]) -> Result<OtherTests, GuardError> + 'a;

/// The outcomes of the original under mutants, with which candidates must agree.
pub(crate) struct Outcomes {
    /// The failure of the original with switches, without the parts that are not compared.
    pub(crate) failure: Signature,
    /// The mutants that are chosen for candidates, with the failure of the original under each; `None`
    /// where it passes.
    pub(crate) asked: Vec<(MutantId, Option<Signature>)>,
    /// The chosen mutants that can be marked, with their outcomes, for candidates that contain the
    /// code under test.
    pub(crate) asked_when_merged: Vec<(MutantId, Option<Signature>)>,
    /// The mutants that mend the test and break no other, by which it is judged where it was written anew.
    pub(crate) mends: Vec<MutantId>,
    /// The switches that a candidate has to run through: those at the beginning of functions of which no mutant says
    /// anything, and the last one before a panic in the code under test that could come earlier.
    pub(crate) entered: BTreeSet<MutantId>,
    /// Those of these switches of whose functions no mutant says anything.
    pub(crate) unjudged: BTreeSet<MutantId>,
    /// Whether an entered function sets a field that is not read, so that any argument gives the same outcome.
    pub(crate) sets_in_vain: bool,
    /// Whether the original fails in the test's own text, not in the code under test.
    pub(crate) is_own: bool,
    /// The function that the bug is in, if the chosen mutants say so.
    pub(crate) located_in: Option<String>,
    /// The mutants whose places in the code the original runs through.
    pub(crate) passed: BTreeSet<MutantId>,
    /// The mutants whose places in the code the original runs through without a mutant, or under a
    /// chosen one.
    pub(crate) passed_under_any: BTreeSet<MutantId>,
    /// The mutants whose places in the code the original runs through, for each run in which it
    /// succeeds.
    pub(crate) passed_in_success: Vec<BTreeSet<MutantId>>,
    /// The outcomes of the original under all mutants that it was run with.
    pub(crate) all: Vec<(MutantId, Outcome)>,
    /// The outcomes of the other tests under the mutants that change the outcome of the original.
    pub(crate) others: OtherTests,
    /// The time that a run of the original takes with switches.
    pub(crate) usual: TimeSpent,
}

impl Outcomes {
    /// Returns the mutants that change the outcome of the original: the code that they change matters to the failure.
    /// Where the bug is in a known function, those of that function alone that can be marked, if there are some. What is
    /// entered matters too, where nothing says that it does not.
    pub(crate) fn matter<'m>(
        &self,
        markable: impl IntoIterator<Item = &'m Mutant>,
    ) -> BTreeSet<MutantId> {
        let baseline = Some(self.failure.clone());
        let differs = |outcome: &Outcome| outcome.told().is_some_and(|told| told != baseline);
        let all = self.all.iter().filter(|(_, outcome)| differs(outcome));
        let matter = all.map(|(id, _)| *id).collect();
        let located = of_function(markable, self.located_in.as_deref());
        &of_bug(matter, &located) | &self.entered
    }

    /// Counts the mutants that change the outcome of the original.
    pub(crate) fn telling(&self) -> usize {
        let differs = |one: &&(MutantId, Outcome)| one.1.differs_from(&self.failure);
        self.all.iter().filter(differs).count()
    }

    /// Runs the compiled original under mutants, and chooses those for candidates. `ask_others`
    /// runs the tests beside it.
    pub(crate) fn find(
        worker: &mut Worker,
        plan: &Plan,
        compiling: TimeSpent,
        own: &Own,
        KnownMutants {
            all: mutants,
            markable,
        }: KnownMutants<'_>,
        ask_others: &mut AskOthers<'_>,
        cancel: &Cancel,
    ) -> Result<Result<Self, &'static str>, GuardError> {
        let record = Some(REACHED_VARIABLE);
        let (recorded, recording) = worker.run_original(plan, None, record, own, cancel)?;
        let (baseline, running) = worker.run_original(plan, None, None, own, cancel)?;
        let (Came::Fails(failure), Came::Fails(at)) = (&baseline.compared, &baseline.came) else {
            return Ok(Err(
                "the test does not fail any more where the code under test has switches",
            ));
        };
        let usual = compiling.max(running).max(recording);
        let mut plan = plan.clone();
        plan.run_policy.limits.usual = Some(under_mutant(usual));
        let record_of_baseline = recorded.record.clone().unwrap_or_default();
        let passed = reached(&record_of_baseline);
        let is_own = own.says_expectation(at);
        // A panic in the code under test has a place there.
        let last = match is_own {
            true => None,
            false => last_before_panic(mutants, &record_of_baseline),
        };
        let mut runs = Runs {
            worker,
            plan: &plan,
            own,
            passed: passed.clone(),
            passed_in_success: Vec::new(),
            failing: match (last, at.position) {
                (Some(_), Some((line, _))) => around(mutants, &passed, line as usize),
                _ => BTreeSet::new(),
            },
            avoiding: BTreeSet::new(),
            last,
            may_panic_earlier: false,
            is_own,
            at: (**at).clone(),
            is_quick: usual.running <= QUICK,
            unchanged: recorded,
            cancel,
        };
        let all = runs.all(mutants, &passed, failure)?;
        let mut others = ask_others(failure, &all)?;
        // What does not come to the function that fails says nothing of how that is mended.
        others.broken.retain(|id, _| !runs.avoiding.contains(id));
        let is_mended_by_panics = failure.kind == CrashKind::NoPanic;
        let mends = match is_mended_by_panics {
            true => Vec::new(),
            false => runs.confirmed(mends(&all, &others, mutants))?,
        };
        let plausible = |all: &[(MutantId, Outcome)]| match is_mended_by_panics && !own.is_all {
            true => Plausible {
                outcomes: mending(all, &others.broken, mutants),
                located_in: None,
            },
            false => plausible(failure, all, &others, mutants),
        };
        let Plausible {
            outcomes: of_all,
            located_in,
        } = plausible(&all);
        let asked = runs.asked(mutants, (&of_all, &mends), failure)?;
        let can_be_marked = all.iter().filter(|(id, _)| markable.contains(id));
        let can_be_marked: Vec<_> = can_be_marked.cloned().collect();
        let asked_when_merged = match can_be_marked.len() == all.len() {
            true => asked.clone(),
            false => {
                let located = &of_function(mutants, located_in.as_deref()) & markable;
                let of_bug = of_all.iter().filter(|(id, _)| located.contains(id));
                let of_bug: Vec<_> = of_bug.cloned().collect();
                let of_bug = runs.asked(mutants, (&of_bug, &mends), failure)?;
                match of_bug.is_empty() {
                    true => runs.asked(
                        mutants,
                        (&plausible(&can_be_marked).outcomes, &mends),
                        failure,
                    )?,
                    false => of_bug,
                }
            }
        };
        let mut entered = BTreeSet::new();
        let mut unjudged_functions = BTreeSet::new();
        let mut in_vain = BTreeSet::new();
        if is_own {
            // Effects that other functions have without a trace do not matter where the bug is in a
            // known function.
            if located_in.is_none() {
                unjudged_functions = unjudged(mutants, &passed, &all);
                entered.extend(&unjudged_functions);
            }
            in_vain = set_in_vain(mutants, &passed, &all, failure);
            entered.extend(&in_vain);
        } else if runs.may_panic_earlier {
            entered.extend(last);
        }
        // Switches that are entered in one run and not in another say nothing.
        if !entered.is_empty() {
            let (again, _) = runs.worker.run_original(&plan, None, record, own, cancel)?;
            let again = again.record.unwrap_or_default();
            let is_last = is_own || last_before_panic(mutants, &again) == last;
            let passed_again = reached(&again);
            entered.retain(|id| is_last && passed_again.contains(id));
        }
        Ok(Ok(Self {
            failure: (**failure).clone(),
            asked,
            asked_when_merged,
            mends,
            unjudged: &unjudged_functions & &entered,
            sets_in_vain: !entered.is_disjoint(&in_vain),
            entered,
            is_own,
            located_in,
            passed,
            passed_under_any: runs.passed,
            passed_in_success: runs.passed_in_success,
            all,
            others,
            usual,
        }))
    }
}

/// Returns the mutants in a function; none where the function is not known.
fn of_function<'m>(
    mutants: impl IntoIterator<Item = &'m Mutant>,
    function: Option<&str>,
) -> BTreeSet<MutantId> {
    let mutants = mutants.into_iter();
    let of_it = mutants.filter(|one| function == Some(one.function.as_str()));
    of_it.map(|one| one.id).collect()
}

/// Keeps the mutants in the function that the bug is in; all if there are none of these.
fn of_bug(matter: BTreeSet<MutantId>, located: &BTreeSet<MutantId>) -> BTreeSet<MutantId> {
    let of_bug = &matter & located;
    match of_bug.is_empty() {
        true => matter,
        false => of_bug,
    }
}

/// Finds the last switch that a run has passed for the first time before it panicked in the code under test. What is
/// dropped after that says nothing.
///
/// A panic like it may come from something else, such as an entry of a table that is wrong from the beginning. It
/// comes earlier then, without this switch.
pub(crate) fn last_before_panic<'m>(
    mutants: impl IntoIterator<Item = &'m Mutant>,
    record: &[u8],
) -> Option<MutantId> {
    let comes_before = mutants
        .into_iter()
        .filter(|one| !one.function.ends_with("::drop"));
    let comes_before: BTreeSet<MutantId> = comes_before.map(|one| one.id).collect();
    last_reached(record, |id| comes_before.contains(&id))
}

/// Returns the mutants that a run has come to in the functions around a line: those with some mutants before and some after
/// it. There may be several such functions, in several files.
fn around(mutants: &[Mutant], passed: &BTreeSet<MutantId>, line: usize) -> BTreeSet<MutantId> {
    let functions = by_function(mutants.iter().filter(|one| passed.contains(&one.id)));
    let is_around = |all: &Vec<&Mutant>| {
        all.iter().any(|one| one.line <= line) && all.iter().any(|one| one.line >= line)
    };
    let around = functions.into_iter().filter(is_around).flatten();
    around.map(|one| one.id).collect()
}

/// Whether a run has come to no switch of the failing function, where one is known.
fn avoids(failing: &BTreeSet<MutantId>, passed: &BTreeSet<MutantId>) -> bool {
    !failing.is_empty() && failing.is_disjoint(passed)
}

/// Finds the first switches of the functions that were entered and of which no mutant tells anything: the test does
/// not get to its failure under them, or there are none.
fn unjudged(
    mutants: &[Mutant],
    passed: &BTreeSet<MutantId>,
    all: &[(MutantId, Outcome)],
) -> BTreeSet<MutantId> {
    let outcomes: BTreeMap<MutantId, &Outcome> = all.iter().map(|(id, one)| (*id, one)).collect();
    let functions = by_function(mutants.iter().filter(|one| passed.contains(&one.id)));
    let says_nothing = |one: &&Mutant| {
        let outcome = outcomes.get(&one.id);
        !one.is_change() || outcome.is_some_and(|outcome| outcome.told().is_none())
    };
    let unjudged = functions
        .into_iter()
        .filter(|all| all.iter().all(says_nothing));
    let entries = unjudged.filter_map(|all| all.into_iter().find(|one| one.is_at_entry()));
    entries.map(|one| one.id).collect()
}

/// Finds the first switches of functions that only set fields of their value, where the test fails as before without
/// these assignments. What should read these fields may be what is wrong.
fn set_in_vain(
    mutants: &[Mutant],
    passed: &BTreeSet<MutantId>,
    all: &[(MutantId, Outcome)],
    failure: &Signature,
) -> BTreeSet<MutantId> {
    let same = Some(Some(failure.clone()));
    let is_same = |(_, outcome): &&(MutantId, Outcome)| outcome.told() == same;
    let unread: BTreeSet<MutantId> = all.iter().filter(is_same).map(|(id, _)| *id).collect();
    let functions = by_function(mutants.iter().filter(|one| passed.contains(&one.id)));
    let in_vain = functions.into_iter().filter(|function| {
        let mut set = function.iter().filter(|one| sets_field(one)).peekable();
        let is_setter =
            set.peek().is_some() && function.iter().all(|one| is_of_setter(one, function));
        is_setter && set.all(|one| unread.contains(&one.id))
    });
    let entries = in_vain.filter_map(|all| all.into_iter().find(|one| one.is_at_entry()));
    entries.map(|one| one.id).collect()
}

/// Whether a mutant leaves out an assignment to a field of `self`.
fn sets_field(mutant: &Mutant) -> bool {
    let cursor = TokenCursor::new(&mutant.original);
    mutant.operator == Operator::Statement && cursor.are(0, &["self", "."]) && cursor.is(3, "=")
}

/// Whether a mutant stands at the beginning of its function, or in an assignment to a field.
fn is_of_setter(mutant: &Mutant, function: &[&Mutant]) -> bool {
    let mut fields = function.iter().filter(|one| sets_field(one));
    let is_within =
        |one: &&Mutant| one.range.start <= mutant.range.start && mutant.range.end <= one.range.end;
    mutant.is_at_entry() || fields.any(is_within)
}

/// Chooses the mutants that change the outcome of the original, the most telling first: `told` has its failures, `None`
/// within where it passes. A mended program passes, and where there are many failures that outcome could be left out
/// otherwise. The best mend comes before all others.
fn most_telling<F: Eq + Clone>(
    mutants: &[Mutant],
    baseline: &Option<F>,
    told: &[(MutantId, Option<Option<F>>)],
    mend: Option<&MutantId>,
) -> Vec<MutantId> {
    let passing = told.iter().filter(|(_, told)| *told == Some(None));
    let passing: Vec<_> = passing.cloned().collect();
    let mend = mend.filter(|mend| passing.iter().any(|(id, _)| id == *mend));
    let mut chosen = choose(mutants, baseline, &passing, MOST_PASSING);
    chosen.retain(|id| Some(id) != mend);
    chosen.splice(..0, mend.copied());
    chosen.truncate(MOST_PASSING);
    let mut others = choose(mutants, baseline, told, MOST_RUN);
    others.retain(|id| !chosen.contains(id));
    chosen.extend(others);
    chosen
}

/// Whether an outcome under a mutant of unsafe code may be chance: the mutant may read anything in memory, and that is the
/// same in each run of one program, and another in the next program.
fn may_be_chance<F>(
    mutants: &[Mutant],
    told: &[(MutantId, Option<Option<F>>)],
    id: MutantId,
) -> bool {
    let is_unsafe = mutants.iter().any(|one| one.id == id && one.is_in_unsafe);
    let fails = |(other, told): &(MutantId, Option<Option<F>>)| {
        *other == id && matches!(told, Some(Some(_)))
    };
    is_unsafe && told.iter().any(fails)
}

/// Whether each of several runs has the expected outcome.
fn comes_each_time<F: PartialEq, E>(
    n_runs: usize,
    expected: &F,
    mut run: impl FnMut() -> Result<Option<F>, E>,
) -> Result<bool, E> {
    for _ in 0..n_runs {
        if run()?.as_ref() != Some(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The runs of the original under mutants.
struct Runs<'r> {
    worker: &'r mut Worker,
    plan: &'r Plan,
    own: &'r Own,
    /// The run of the original without a mutant.
    unchanged: OriginalRun,
    /// The failure of the original without a mutant, with its place in the source.
    at: Signature,
    /// The mutants whose places the original ran through without a mutant, or under any that is
    /// chosen.
    passed: BTreeSet<MutantId>,
    /// The mutants whose places the original ran through, for each run in which it succeeds.
    passed_in_success: Vec<BTreeSet<MutantId>>,
    /// The mutants that the original runs through in the function in which it panics, where that is in the code under
    /// test.
    failing: BTreeSet<MutantId>,
    /// The mutants under which the original passes without coming to the function in which it
    /// panics otherwise.
    avoiding: BTreeSet<MutantId>,
    /// The last switch that the original runs through for the first time before it panics in the code under
    /// test.
    last: Option<MutantId>,
    /// Whether the original, under a mutant, has panicked in the same place of the code under test
    /// without coming to `last`.
    may_panic_earlier: bool,
    /// Whether the original fails in the test's own text.
    is_own: bool,
    /// Whether a run takes so little time that the original is run under many mutants.
    is_quick: bool,
    cancel: &'r Cancel,
}

impl Runs<'_> {
    /// Runs the original under some of the mutants whose places it comes to, and returns the outcomes. Half of them are spread over
    /// all functions, and the others near those that change the outcome. There, conditions are joined to others too. Where it passes
    /// under none of these, there are more.
    fn all(
        &mut self,
        mutants: &[Mutant],
        passed: &BTreeSet<MutantId>,
        failure: &Signature,
    ) -> Result<Vec<(MutantId, Outcome)>, GuardError> {
        let most = self.most_run();
        let added = mutants
            .iter()
            .filter(|one| one.operator == Operator::AddedCondition);
        let added: BTreeSet<MutantId> = added.map(|one| one.id).collect();
        let (added, changes) = (passed & &added, passed - &added);
        let mut all = Vec::new();
        self.run_under(spread(mutants, &changes, most / 2), &mut all)?;
        let near = nearby(mutants, &changes, (&all, failure), most - most / 2);
        self.run_under(near, &mut all)?;
        if self.is_quick {
            let near = nearby(mutants, &added, (&all, failure), MOST_JOINED);
            let mut joined = Vec::new();
            self.run_under(near, &mut joined)?;
            // They are there to mend: what changes the outcome otherwise is known from the others.
            joined.retain(|(_, outcome)| *outcome == Outcome::Passes);
            all.extend(joined);
        }
        let is_mended = all.iter().any(|(_, outcome)| *outcome == Outcome::Passes);
        if !is_mended && self.is_quick {
            let near = nearby(mutants, &changes, (&all, failure), MOST_FURTHER);
            self.run_under(near, &mut all)?;
        }
        all.sort_by_key(|(id, _)| *id);
        Ok(all)
    }

    /// Runs the original under mutants, and notes the outcomes. Most of a short run is the record of the switches that it passes. That
    /// is made where the original passes, in a second run, and in all runs where the original panics in the code under test, as it may
    /// have come there by another way.
    fn run_under(
        &mut self,
        chosen: Vec<MutantId>,
        all: &mut Vec<(MutantId, Outcome)>,
    ) -> Result<(), GuardError> {
        let record = self.last.map(|_| REACHED_VARIABLE);
        let runs = self.run_with_each(&chosen, record)?;
        let is_unrecorded = |run: &OriginalRun| record.is_none() && run.came == Came::Passes;
        let both = chosen.iter().zip(&runs);
        let passing = both.filter(|(_, run)| is_unrecorded(run));
        let passing: Vec<MutantId> = passing.map(|(id, _)| *id).collect();
        let mut recorded = self
            .run_with_each(&passing, Some(REACHED_VARIABLE))?
            .into_iter();
        for (id, run) in chosen.into_iter().zip(runs) {
            let run = match is_unrecorded(&run) {
                true => recorded.next().unwrap_or(run),
                false => run,
            };
            let (outcome, passed) = self.seen(run);
            if outcome == Outcome::Passes {
                if avoids(&self.failing, &passed) {
                    self.avoiding.insert(id);
                }
                self.passed_in_success.push(passed);
            }
            all.push((id, outcome));
        }
        Ok(())
    }

    /// Runs the original under each of some mutants, with a record of the switches that it passes if there is a variable for that.
    fn run_with_each(
        &mut self,
        ids: &[MutantId],
        record: Option<&str>,
    ) -> Result<Vec<OriginalRun>, GuardError> {
        let numbers: Vec<String> = ids.iter().map(MutantId::to_string).collect();
        let runs = self.worker.run_original_with_each(
            self.plan,
            (MUTANT_VARIABLE, &numbers),
            (record, &self.unchanged),
            self.own,
            self.cancel,
        )?;
        Ok(runs)
    }

    /// Chooses the mutants for candidates that tell most, with the outcome of the original under each. The best of the mends is
    /// among them, if it is among all: the report shows it.
    fn asked(
        &mut self,
        mutants: &[Mutant],
        (all, mends): (&[(MutantId, Outcome)], &[MutantId]),
        failure: &Signature,
    ) -> Result<Vec<(MutantId, Option<Signature>)>, GuardError> {
        let told: Vec<_> = all.iter().map(|(id, one)| (*id, one.told())).collect();
        let baseline = Some(failure.clone());
        let mut asked = Vec::new();
        let chosen = most_telling(mutants, &baseline, &told, mends.first()).into_iter();
        let (unsure, sure): (Vec<_>, Vec<_>) =
            chosen.partition(|id| may_be_chance(mutants, &told, *id));
        let sure = sure.into_iter().map(|id| (id, MOST_ASKED));
        for (id, most) in sure.chain(unsure.into_iter().map(|id| (id, MOST_UNSURE))) {
            let known = told.iter().find(|(other, _)| *other == id);
            let Some((_, Some(outcome))) = known.filter(|_| asked.len() < most) else {
                continue;
            };
            if self.comes_again(id, outcome)? {
                asked.push((id, outcome.clone()));
            }
        }
        Ok(asked)
    }

    /// Returns those of the mends under which the original passes in a process of its own too.
    fn confirmed(&mut self, mends: Vec<MutantId>) -> Result<Vec<MutantId>, GuardError> {
        let mut confirmed = Vec::new();
        for id in mends {
            if self.outcome(id)?.0 == Outcome::Passes {
                confirmed.push(id);
            }
        }
        Ok(confirmed)
    }

    /// Whether the original has the same outcome under a mutant each time. What differs from run to run says nothing
    /// about a candidate. A mutant of unsafe code may make it read what lies anywhere in memory.
    fn comes_again(
        &mut self,
        id: MutantId,
        outcome: &Option<Signature>,
    ) -> Result<bool, GuardError> {
        let n_runs = match self.is_quick {
            true => RUNS_AGAIN,
            false => 1,
        };
        comes_each_time(n_runs, outcome, || {
            let (again, passed) = self.outcome(id)?;
            self.passed.extend(passed);
            Ok(again.told())
        })
    }

    fn most_run(&self) -> usize {
        match self.is_quick {
            true => MOST_RUN,
            false => MOST_RUN_SLOWLY,
        }
    }

    /// Runs the original under a mutant, and returns its outcome and the mutants whose places it
    /// comes to.
    fn outcome(&mut self, id: MutantId) -> Result<(Outcome, BTreeSet<MutantId>), GuardError> {
        let number = id.to_string();
        let variable = Some((MUTANT_VARIABLE, number.as_str()));
        let record = Some(REACHED_VARIABLE);
        let (run, _) =
            self.worker
                .run_original(self.plan, variable, record, self.own, self.cancel)?;
        Ok(self.seen(run))
    }

    /// Reads a run under a mutant.
    fn seen(&mut self, run: OriginalRun) -> (Outcome, BTreeSet<MutantId>) {
        let passed = reached(run.record.as_deref().unwrap_or_default());
        let is_there = self.fails_there(&run.came);
        let is_earlier = |last| !passed.contains(&last);
        self.may_panic_earlier |= is_there && self.last.is_some_and(is_earlier);
        (self.read(run, is_there), passed)
    }

    fn read(&self, run: OriginalRun, is_there: bool) -> Outcome {
        match (run.came, run.compared) {
            (Came::Passes, _) => Outcome::Passes,
            // A panic in the code under test is wrong whatever the input. Only versions without it tell something.
            (Came::Fails(_), Came::Fails(failure)) if self.is_own && is_there => {
                Outcome::Fails(failure)
            }
            _ => Outcome::Elsewhere,
        }
    }

    /// Whether a run fails at the place where the original fails without a mutant.
    fn fails_there(&self, came: &Came) -> bool {
        let Came::Fails(at) = came else {
            return false;
        };
        (&at.kind, &at.file, at.position) == (&self.at.kind, &self.at.file, self.at.position)
    }
}

/// The mutants of the code under test, and those of them that can be marked.
#[derive(Clone, Copy)]
pub(crate) struct KnownMutants<'m> {
    pub(crate) all: &'m [Mutant],
    /// The mutants that can be marked, so that candidates are run under them when the code under
    /// test has become a part of the program.
    pub(crate) markable: &'m BTreeSet<MutantId>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::mutant;
    use camino::Utf8PathBuf;
    use reduce_mutants::{Options, instrument};
    use reduce_syntax::SourceTree;

    #[test]
    fn what_matters_is_in_the_function_of_the_bug_if_it_can_be_marked() {
        let text = "fn f(a: u32) -> u32 { a + 1 } fn g(a: u32) -> u32 { a + 2 }";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let [of_f, other_of_f, of_g] =
            ["a - 1", "0", "a - 2"].map(|mutated| mutant(mutants, mutated));
        let check = |markable: &[MutantId], function: Option<&str>| {
            let markable = mutants.iter().filter(|one| markable.contains(&one.id));
            let located = of_function(markable, function);
            Vec::from_iter(of_bug(BTreeSet::from([of_f, of_g]), &located))
        };
        let all = [of_f, other_of_f, of_g];
        assert_eq!(check(&all, Some("f")), [of_f]);
        assert_eq!(check(&all, Some("g")), [of_g]);
        assert_eq!(check(&[other_of_f, of_g], Some("f")), [of_f, of_g]);
        assert_eq!(check(&all, None), [of_f, of_g]);
    }

    #[test]
    fn a_run_that_does_not_come_to_the_function_that_fails_avoids_it() {
        let text = "fn set(a: u32) -> u32 {\n    a + 1\n}\nfn get(a: u32) -> u32 {\n    \
            if a > 2 {\n        x[a] - 2\n    } else {\n        a * 3\n    }\n}\n";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let [of_set, of_get, other_of_get] =
            ["a - 1", "x[a] + 2", "a >= 2"].map(|mutated| mutant(mutants, mutated));
        let passed = BTreeSet::from([of_set, of_get, other_of_get]);
        let failing = around(mutants, &passed, 6);
        assert_eq!(failing, BTreeSet::from([of_get, other_of_get]));
        assert!(avoids(&failing, &BTreeSet::from([of_set])));
        assert!(!avoids(&failing, &BTreeSet::from([of_set, other_of_get])));
        assert!(!avoids(
            &around(mutants, &passed, 20),
            &BTreeSet::from([of_set])
        ));
    }

    #[test]
    fn a_failure_under_a_mutant_of_unsafe_code_may_be_chance() {
        let text = "fn f(a: u32) -> u32 { unsafe { g(a + 1) } } fn h(a: u32) -> u32 { a + 2 }";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let [in_unsafe, outside] = ["a - 1", "a - 2"].map(|mutated| mutant(mutants, mutated));
        let check = |id, told: Option<Option<u8>>| may_be_chance(mutants, &[(id, told)], id);
        assert!(check(in_unsafe, Some(Some(1))));
        assert!(!check(in_unsafe, Some(None)));
        assert!(!check(outside, Some(Some(1))));
    }

    #[test]
    fn a_mutant_that_comes_to_something_else_once_is_not_asked() {
        let check = |seen: [Option<u8>; 3]| {
            let mut seen = seen.into_iter();
            comes_each_time(3, &7, || seen.next().ok_or(()))
        };
        assert_eq!(check([Some(7), Some(7), Some(7)]), Ok(true));
        assert_eq!(check([Some(7), Some(7), Some(8)]), Ok(false));
        assert_eq!(check([Some(7), None, Some(7)]), Ok(false));
    }

    #[test]
    fn what_is_dropped_after_a_panic_does_not_come_before_it() {
        let text = "impl Drop for S { fn drop(&mut self) { f(1) } } fn f(a: u8) -> bool { a > 2 }";
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let mutants = instrument(&sources, &Options::default()).mutants().to_vec();
        let in_function = |name: &str| {
            let mut all = mutants.iter().filter(|one| one.function.ends_with(name));
            all.next().expect("there is a mutant").id
        };
        let (dropped, last) = (in_function("drop"), in_function("f"));
        let record = |ids: &[MutantId]| {
            let bytes = ids.iter().map(|id| id.0.to_le_bytes());
            bytes.flatten().collect::<Vec<u8>>()
        };
        let found = last_before_panic(&mutants, &record(&[last, dropped, last]));
        assert_eq!(found, Some(last));
        assert_eq!(last_before_panic(&mutants, &record(&[dropped])), None);
    }

    #[test]
    fn what_lets_the_test_pass_is_asked_first_however_many_failures_there_are() {
        let text = "fn f(a: u8) -> bool { a + 1 < a * 2 && a - 3 > a / 4 || a % 5 == a }";
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let mutants = instrument(&sources, &Options::default()).mutants().to_vec();
        let last = mutants.last().expect("there are some").id;
        let told: Vec<_> = mutants
            .iter()
            .map(|one| (one.id, Some((one.id != last).then_some(one.id.0))))
            .collect();
        assert!(told.len() > MOST_ASKED);
        let chosen = most_telling(&mutants, &Some(u32::MAX), &told, None);
        assert_eq!(chosen[0], last);
        assert_eq!(chosen.len(), told.len());
        let all_pass: Vec<_> = told.iter().map(|(id, _)| (*id, Some(None))).collect();
        let chosen = most_telling(&mutants, &Some(u32::MAX), &all_pass, Some(&last));
        assert_eq!(chosen[0], last);
        assert_eq!(chosen.len(), told.len());
    }
}
