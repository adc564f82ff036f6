//! Compiles and runs tests that were written anew, to judge them by what they come to under mutants.

use crate::anew::{Judgement, Original, outcome};
use crate::asked_mutants::{AskedMutants, numbers};
use crate::error::GuardError;
use crate::facts::Facts;
use crate::guard::MakeWorker;
use crate::isolate::Failing;
use crate::outcome::Outcome;
use crate::outcomes::last_before_panic;
use crate::trial::own_files;
use reduce_mutants::{MUTANT_VARIABLE, REACHED_VARIABLE, reached};
use reduce_oracle::{
    Came, Cancel, CrashKind, Linkage, OriginalRun, Own, OwnResults, Plan, Signature, Variants,
    Worker,
};
use reduce_passes::with_expected_value;
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

/// The runs of a test that was compiled.
pub(crate) struct Ran {
    /// The part of its failure that is compared.
    own: Own,
    /// The run without a mutant.
    unchanged: OriginalRun,
    /// The runs under mutants.
    under: BTreeMap<String, OriginalRun>,
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

    /// Compiles a test and runs it; `None` where it does not compile.
    pub(crate) fn run(&mut self, tree: &SourceTree) -> Result<Option<Ran>, GuardError> {
        let files = tree.to_files();
        let compiled = self
            .worker
            .compile_original(&self.plan, &files, self.cancel)?;
        if compiled.is_none() {
            return Ok(None);
        }
        let own = self.own(tree).into_owned();
        let record = Some(REACHED_VARIABLE);
        let (unchanged, _) =
            self.worker
                .run_original(&self.plan, None, record, &own, self.cancel)?;
        Ok(Some(Ran {
            own,
            unchanged,
            under: BTreeMap::new(),
        }))
    }

    /// Runs the test that was compiled last under the mends, and returns the value that it has to expect.
    pub(crate) fn expected_by_mends(
        &mut self,
        tree: &SourceTree,
        ran: &mut Ran,
    ) -> Result<Expected, GuardError> {
        if failure_of(&ran.unchanged, &self.usual, &ran.own).is_none() {
            return Ok(Expected::Unknown);
        }
        self.run_under(self.known.mends.iter(), ran)?;
        let mut runs = self.known.mends.iter().map(|mend| &ran.under[mend]);
        let first = runs.next();
        let agreed = first.filter(|first| runs.all(|run| run.came == first.came));
        let place = |came: &Came| match came {
            Came::Fails(at) => Some((at.file.clone(), at.position)),
            Came::Passes | Came::Unfinished => None,
        };
        let unchanged = &ran.unchanged.came;
        Ok(match agreed {
            Some(run) if run.came == Came::Passes => Expected::Same,
            Some(run) if run.came != *unchanged && place(&run.came) == place(unchanged) => {
                let failing = Failing::of(run.clone());
                let expected =
                    failing.and_then(|one| with_expected_value(tree, &one.comparison()?));
                expected.map_or(Expected::Unknown, Expected::Otherwise)
            }
            _ => Expected::Unknown,
        })
    }

    /// Judges the test that was compiled last, and was written anew.
    pub(crate) fn judge(&mut self, ran: Ran) -> Result<Judgement, GuardError> {
        self.judge_by(ran, |original, failure, outcome| {
            match original.failure.is_same_bug(failure, false) {
                true => original.judge(outcome),
                false => original.judge_with_own(failure, outcome),
            }
        })
    }

    /// Judges the test that was compiled last, and is a part of the test before.
    pub(crate) fn judge_part(&mut self, ran: Ran) -> Result<Judgement, GuardError> {
        self.judge_by(ran, |original, failure, outcome| {
            original.judge_part(failure, outcome)
        })
    }

    fn judge_by(
        &mut self,
        mut ran: Ran,
        judge: impl Fn(&Original<'_>, &Signature, &mut Run<'_>) -> Result<Judgement, GuardError>,
    ) -> Result<Judgement, GuardError> {
        let known = self.known;
        let failure = failure_of(&ran.unchanged, &self.usual, &ran.own);
        let Some(failure) = failure.cloned() else {
            return Ok(Judgement::Refused);
        };
        let (Some(asked), Some(runs)) = (known.asked, self.runs.clone()) else {
            return Ok(match self.usual.is_same_bug(&failure, false) {
                true => Judgement::AsOriginal,
                false => Judgement::OfItsOwn(OwnResults {
                    failure: Some(failure),
                    outcomes: Vec::new(),
                    entered: None,
                }),
            });
        };
        let ids = runs.outcomes().iter().map(|one| &one.setting);
        self.run_under(ids.chain(known.mends), &mut ran)?;
        let Ran {
            own,
            unchanged,
            mut under,
        } = ran;
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
        // The mends say more than what is entered.
        let entered = || {
            let entered = runs.entered() & &numbers(&reached(record));
            let knows_right = !known.mends.is_empty() && !known.is_marked;
            knows_right.then_some(entered)
        };
        let own_failure = self.own_failure;
        let mut outcome = |id: &str| {
            let run = match under.remove(id) {
                Some(run) => run,
                None => self.run_alone(id, &own)?,
            };
            Ok::<_, GuardError>(outcome(&unchanged, run, &own))
        };
        Ok(match judge(&original, &failure, &mut outcome)? {
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

    /// Runs the test that was compiled last under a mutant.
    fn run_alone(&mut self, mutant: &str, own: &Own) -> Result<OriginalRun, GuardError> {
        let setting = Some((MUTANT_VARIABLE, mutant));
        let (run, _) = self
            .worker
            .run_original(&self.plan, setting, None, own, self.cancel)?;
        Ok(run)
    }

    /// Runs the test that was compiled last under those of the mutants under which it was not run yet.
    fn run_under<'m>(
        &mut self,
        mutants: impl Iterator<Item = &'m String>,
        ran: &mut Ran,
    ) -> Result<(), GuardError> {
        let new: BTreeSet<&String> = mutants.filter(|id| !ran.under.contains_key(*id)).collect();
        let new: Vec<String> = new.into_iter().cloned().collect();
        let (settings, unchanged) = ((MUTANT_VARIABLE, &new[..]), (None, &ran.unchanged));
        let (worker, plan) = (&mut self.worker, &self.plan);
        let all =
            worker.run_original_with_each(plan, settings, unchanged, &ran.own, self.cancel)?;
        ran.under.extend(new.into_iter().zip(all));
        Ok(())
    }

    /// The part of the failure of a test that is compared.
    fn own(&self, tree: &SourceTree) -> Cow<'_, Own> {
        match &self.runs {
            Some(runs) => Cow::Borrowed(runs.own()),
            None => Cow::Owned(own_files(&self.plan, tree)),
        }
    }
}

/// The failure of a test that was written anew, if it may show the bug of the original: that of the original, another one that says what
/// the test expects, or that of an assertion in its place.
fn failure_of<'r>(
    unchanged: &'r OriginalRun,
    usual: &Signature,
    own: &Own,
) -> Option<&'r Signature> {
    let (Came::Fails(at), Came::Fails(failure)) = (&unchanged.came, &unchanged.compared) else {
        return None;
    };
    let is_other = usual.kind.is_of_test()
        && match failure.kind {
            CrashKind::Assertion => true,
            kind => kind == usual.kind,
        }
        && own.says_expectation(at);
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
