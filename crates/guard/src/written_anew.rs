//! Compiles and runs tests that were written anew, to judge them by what they come to under mutants.

use crate::anew::{Judgement, Original, outcome};
use crate::asked_mutants::{AskedMutants, numbers};
use crate::error::GuardError;
use crate::facts::Facts;
use crate::guard::MakeWorker;
use crate::outcome::Outcome;
use crate::outcomes::last_before_panic;
use crate::trial::own_files;
use reduce_mutants::{MUTANT_VARIABLE, REACHED_VARIABLE, reached};
use reduce_oracle::{
    Came, Cancel, CrashKind, Linkage, OriginalRun, Own, OwnResults, Plan, Signature, Variants,
    Worker,
};
use reduce_passes::{FailedAt, FailedComparison, with_expected_value};
use reduce_syntax::SourceTree;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The knowledge of the guard by which tests are judged that were written anew.
#[derive(Clone, Copy)]
pub(crate) struct Known<'g> {
    /// The mutants under which candidates are run; absent where none of them tells anything.
    pub(crate) asked: Option<&'g AskedMutants>,
    pub(crate) facts: Option<&'g Facts>,
    /// The mutants that mend the test and break no other, as switches are set to them.
    pub(crate) mends: &'g BTreeSet<String>,
    /// Whether points of the code under test have to stay in the program.
    pub(crate) is_marked: bool,
}

/// Runs of tests that were written anew, compiled as candidates are.
pub(crate) struct WrittenAnew<'g> {
    known: Known<'g>,
    /// The failure of the test before.
    usual: Signature,
    /// The failure that the test before has in place of the original's.
    own_failure: Option<&'g Signature>,
    /// The runs that decide about the test before; absent where none does.
    runs: Option<Cow<'g, Variants>>,
    plan: Cow<'g, Plan>,
    worker: &'g mut Worker,
    cancel: &'g Cancel,
}

/// A function that runs a test under a mutant.
type Run<'r> = dyn FnMut(&str) -> Result<Outcome, GuardError> + 'r;

/// The value that the failing assertion of a test has to expect for the test to pass under the mends.
pub(crate) enum Expected {
    /// The value that it expects.
    Same,
    /// Another one, which stands in this program.
    Otherwise(SourceTree),
    /// None, or none on which the mends agree.
    Unknown,
}

impl<'g> WrittenAnew<'g> {
    /// Takes a worker for such tests, which is made if there is none. `usual` is the failure of the original, and `own` are the results
    /// that the test before has to keep in place of those of the original.
    pub(crate) fn new(
        known: Known<'g>,
        (usual, own): (&Signature, Option<&'g OwnResults>),
        (plan, linkage): (&'g Plan, &Linkage),
        (worker, make_worker): (&'g mut Option<Worker>, &MakeWorker<'_>),
        cancel: &'g Cancel,
    ) -> Result<Self, GuardError> {
        let runs = known.asked.map(|asked| asked.on(linkage, own));
        let runs = runs.filter(|runs| !runs.outcomes().is_empty());
        let plan = match &runs {
            Some(runs) => Cow::Owned(runs.plan(plan)),
            None => Cow::Borrowed(plan),
        };
        let worker = match worker {
            Some(worker) => worker,
            none => none.insert(make_worker(&plan)?),
        };
        Ok(Self {
            worker,
            known,
            usual: runs.as_ref().map_or(usual, |runs| runs.failure()).clone(),
            own_failure: own.and_then(|own| own.failure.as_ref()),
            runs,
            plan,
            cancel,
        })
    }

    /// Compiles a test, to run it from now on. Returns whether it compiles.
    pub(crate) fn compile(&mut self, tree: &SourceTree) -> Result<bool, GuardError> {
        let files = tree.to_files();
        let compiled = self
            .worker
            .compile_original(&self.plan, &files, self.cancel)?;
        Ok(compiled.is_some())
    }

    /// Runs the test under the mends, and returns the value that it has to expect.
    pub(crate) fn expected_by_mends(&mut self, tree: &SourceTree) -> Result<Expected, GuardError> {
        let own = self.own(tree).into_owned();
        let unchanged = self.run(None, &own)?;
        let Came::Fails(at) = &unchanged.came else {
            return Ok(Expected::Unknown);
        };
        if failure_of(&unchanged, &self.usual, &own).is_none() {
            return Ok(Expected::Unknown);
        }
        let is_there = |other: &Signature| (&at.file, at.position) == (&other.file, other.position);
        let mends: Vec<String> = self.known.mends.iter().cloned().collect();
        let mut agreed = None;
        for run in self.run_each(&mends, &unchanged, &own)? {
            let value = match run.came {
                Came::Passes => None,
                Came::Fails(other) if is_there(&other) && other != *at => Some(other),
                Came::Fails(_) | Came::Unfinished => return Ok(Expected::Unknown),
            };
            match &agreed {
                Some(before) if *before != value => return Ok(Expected::Unknown),
                _ => agreed = Some(value),
            }
        }
        Ok(match agreed {
            None => Expected::Unknown,
            Some(None) => Expected::Same,
            Some(Some(at)) => expecting(tree, &at).map_or(Expected::Unknown, Expected::Otherwise),
        })
    }

    /// Judges the test that was compiled last, and was written anew.
    pub(crate) fn judge(&mut self, tree: &SourceTree) -> Result<Judgement, GuardError> {
        self.judge_by(tree, |original, failure, outcome| {
            match original.failure.is_same_bug(failure, false) {
                true => original.judge(outcome),
                false => original.judge_with_own(failure, outcome),
            }
        })
    }

    /// Judges the test that was compiled last, and is a part of the test before.
    pub(crate) fn judge_part(&mut self, tree: &SourceTree) -> Result<Judgement, GuardError> {
        self.judge_by(tree, |original, failure, outcome| {
            original.judge_part(failure, outcome)
        })
    }

    fn judge_by(
        &mut self,
        tree: &SourceTree,
        judge: impl Fn(&Original<'_>, &Signature, &mut Run<'_>) -> Result<Judgement, GuardError>,
    ) -> Result<Judgement, GuardError> {
        let own = self.own(tree).into_owned();
        let unchanged = self.run(None, &own)?;
        let known = self.known;
        let Some(failure) = failure_of(&unchanged, &self.usual, &own) else {
            return Ok(Judgement::Refused);
        };
        let (Some(asked), Some(runs)) = (known.asked, self.runs.clone()) else {
            return Ok(match self.usual.is_same_bug(failure, false) {
                true => Judgement::AsOriginal,
                false => Judgement::OfItsOwn(OwnResults {
                    failure: Some(failure.clone()),
                    outcomes: Vec::new(),
                    entered: None,
                }),
            });
        };
        let facts = known.facts;
        let functions = facts.map_or_else(BTreeMap::new, Facts::telling_functions);
        let record = unchanged.record.as_deref().unwrap_or_default();
        // What a panic in the code under test comes from may be passed earlier in the test, and later here.
        let is_panic_inside =
            matches!(&unchanged.came, Came::Fails(at) if !own.says_expectation(at));
        let own_entered = facts.filter(|_| is_panic_inside && !known.is_marked);
        let own_entered = own_entered.map(|facts| {
            let last = last_before_panic(facts.mutants(), record);
            numbers(&BTreeSet::from_iter(last))
        });
        let original = Original {
            is_entered: runs.entered().is_subset(&numbers(&reached(record))),
            own_entered,
            failure: runs.failure(),
            asked: runs.outcomes(),
            mends: known.mends,
            functions: &functions,
            may_lose_functions: !known.is_marked,
        };
        let asked_ids = runs.outcomes().iter().map(|one| one.setting.clone());
        let ids: BTreeSet<String> = asked_ids.chain(known.mends.iter().cloned()).collect();
        let ids: Vec<String> = ids.into_iter().collect();
        let all = self.run_each(&ids, &unchanged, &own)?;
        let mut ready: BTreeMap<String, OriginalRun> = ids.into_iter().zip(all).collect();
        // The mends say more than what is entered.
        let entered = || {
            let entered = runs.entered() & &numbers(&reached(record));
            let knows_right = !known.mends.is_empty() && !known.is_marked;
            knows_right.then_some(entered)
        };
        let own_failure = self.own_failure;
        let mut outcome = |id: &str| {
            let run = match ready.remove(id) {
                Some(run) => run,
                None => self.run(Some(id), &own)?,
            };
            Ok::<_, GuardError>(outcome(&unchanged, run, &own))
        };
        Ok(match judge(&original, failure, &mut outcome)? {
            Judgement::OfItsOwn(results) if asked.are_enough_when_merged(&results.outcomes) => {
                Judgement::OfItsOwn(OwnResults {
                    failure: results.failure.or_else(|| own_failure.cloned()),
                    entered: results.entered.or_else(entered),
                    ..results
                })
            }
            Judgement::OfItsOwn(_) => Judgement::Refused,
            other => other,
        })
    }

    /// Runs the test that was compiled last, under this mutant if it is given.
    fn run(&mut self, mutant: Option<&str>, own: &Own) -> Result<OriginalRun, GuardError> {
        let record = mutant.is_none().then_some(REACHED_VARIABLE);
        let setting = mutant.map(|mutant| (MUTANT_VARIABLE, mutant));
        let (run, _) = self
            .worker
            .run_original(&self.plan, setting, record, own, self.cancel)?;
        Ok(run)
    }

    /// Runs the test that was compiled last under each of these mutants; `unchanged` is the run without one.
    fn run_each(
        &mut self,
        mutants: &[String],
        unchanged: &OriginalRun,
        own: &Own,
    ) -> Result<Vec<OriginalRun>, GuardError> {
        let settings = (MUTANT_VARIABLE, mutants);
        let (worker, plan) = (&mut self.worker, &self.plan);
        let runs =
            worker.run_original_with_each(plan, settings, (None, unchanged), own, self.cancel)?;
        Ok(runs)
    }

    /// The part of the failure of a test that is compared.
    fn own(&self, tree: &SourceTree) -> Cow<'_, Own> {
        match &self.runs {
            Some(runs) => Cow::Borrowed(runs.own()),
            None => Cow::Owned(own_files(&self.plan, tree)),
        }
    }
}

/// Changes a test to expect the value that its failing assertion has computed; `None` where it compares no value that is written out.
fn expecting(tree: &SourceTree, failure: &Signature) -> Option<SourceTree> {
    let [left, right] = failure.compared()?;
    let (line, column) = failure.position?;
    let at = FailedAt {
        path: failure.file.as_deref()?,
        line: usize::try_from(line).ok()?,
        column: usize::try_from(column).ok()?,
    };
    with_expected_value(tree, &FailedComparison { at, left, right })
}

/// The failure of a test that was written anew, if it may show the bug of the original: that of the original, another one that says what
/// the test expects, or that of an assertion in its place.
fn failure_of<'r>(
    unchanged: &'r OriginalRun,
    usual: &Signature,
    own: &Own,
) -> Option<&'r Signature> {
    use CrashKind::{Assertion, ErrorReturned, ProgramPanic};
    let (Came::Fails(at), Came::Fails(failure)) = (&unchanged.came, &unchanged.compared) else {
        return None;
    };
    let is_other = match (usual.kind, failure.kind) {
        (Assertion | ErrorReturned | ProgramPanic, Assertion) => true,
        (before @ (ErrorReturned | ProgramPanic), now) => before == now,
        _ => false,
    };
    let is_other = is_other && own.says_expectation(at);
    (is_other || usual.is_same_bug(failure, false)).then_some(failure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assertion;

    /// Whether a failure may show the bug of a test that failed in this way.
    fn may_show(usual: &Signature, failure: &Signature) -> bool {
        let own = Own {
            files: ["tests/t.rs".into()].into(),
            ..Own::default()
        };
        let run = OriginalRun {
            came: Came::Fails(Box::new(failure.clone())),
            compared: Came::Fails(Box::new(failure.clone())),
            record: None,
        };
        failure_of(&run, usual, &own).is_some()
    }

    #[test]
    fn what_the_test_expects_may_fail_otherwise() {
        let at = |file: &str, one: Signature| Signature {
            file: Some(file.to_owned()),
            position: Some((3, 5)),
            ..one
        };
        let panic = |message: &str| Signature::of_kind(CrashKind::ProgramPanic, message);
        let error = |message: &str| Signature::of_kind(CrashKind::ErrorReturned, message);
        let (own, other) = ("tests/t.rs", "src/lib.rs");
        let compared = at(own, assertion("left: 2"));
        for usual in [
            at(own, assertion("left: 1")),
            at(own, panic("none")),
            error("E(1)"),
        ] {
            assert!(may_show(&usual, &compared), "{usual:?}");
            assert!(!may_show(&usual, &at(other, assertion("left: 2"))));
        }
        assert!(may_show(&error("E(1)"), &error("E(2)")));
        assert!(may_show(&at(own, panic("a")), &at(own, panic("b"))));
        assert!(!may_show(&at(own, panic("a")), &at(other, panic("b"))));
        assert!(!may_show(&compared, &at(own, panic("b"))));
        assert!(!may_show(&compared, &error("E(2)")));
        let missing = Signature::of_kind(CrashKind::NoPanic, "");
        assert!(!may_show(&missing, &compared));
    }
}
