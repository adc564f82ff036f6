//! The guard by mutants of the code under test.

use crate::anew::{Judgement, outcome};
use crate::asked_mutants::{AskedMutants, numbers};
use crate::context::{CodePlace, GuardContext};
use crate::entered_blocks::EnteredBlocks;
use crate::entered_functions::EnteredFunctions;
use crate::error::GuardError;
use crate::facts::Facts;
use crate::fidelity::Fidelity;
use crate::figures::CodeUnderTest;
use crate::findings::Findings;
use crate::guard::{Guard, MakeWorker};
use crate::leeway::Leeway;
use crate::marked::{MarkedCode, OtherTexts, PointGone};
use crate::outcomes::QUICK;
use crate::preparation::{Prepared, prepared};
use crate::suspicion;
use crate::test_target::under_mutant;
use crate::written_anew::{Expected, Known, WrittenAnew};
use reduce_mutants::{MUTANT_VARIABLE, MutantId, REACHED_VARIABLE, reached};
use reduce_oracle::{Came, Cancel, Linkage, OwnResults, Plan, Signature, Unit, Variants, Worker};
use reduce_syntax::{EditSet, SourceTree};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Instant;

/// Holds candidates to the outcomes that the original has under mutants of the code under test.
#[derive(Debug)]
pub(crate) struct MutationGuard {
    fidelity: Fidelity,
    findings: Findings,
    /// The mutants under which candidates are run; absent where none of them tells anything.
    asked: Option<AskedMutants>,
    /// The facts that are known of the code under test; absent where it could not be run with
    /// mutants.
    facts: Option<Facts>,
    /// The code under test, with marks at the points that have to stay, with `--whole`.
    marked: Option<MarkedCode>,
    /// The mutants that mend the test and break no other, as switches are set to them.
    mends: BTreeSet<String>,
}

impl MutationGuard {
    /// Compiles the code under test with switches, and finds out which mutants change the outcome
    /// of the test.
    pub(crate) fn prepare(
        context: &GuardContext<'_>,
        baseline: (&Plan, &[Unit]),
        original: &SourceTree,
        place: CodePlace<'_>,
    ) -> Result<Self, GuardError> {
        let started = Instant::now();
        let Prepared {
            mut findings,
            asked,
            facts,
            mut marked,
            mends,
        } = prepared(context, baseline, original, place)?;
        findings.own = marked.as_mut().and_then(MarkedCode::take_own);
        findings.time = started.elapsed();
        Ok(Self {
            fidelity: context.fidelity,
            findings,
            asked,
            facts,
            marked,
            mends,
        })
    }

    fn known(&self) -> Known<'_> {
        Known {
            asked: self.asked.as_ref(),
            facts: self.facts.as_ref(),
            mends: &self.mends,
            is_marked: self.marked.is_some(),
        }
    }
}

impl Guard for MutationGuard {
    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn leeway(&self, failure: &Signature) -> Leeway {
        Leeway {
            knows_rest: self.marked.as_ref().is_none_or(|code| code.knows_rest),
            ..Leeway::without_version(self.fidelity, &self.findings, failure)
        }
    }

    fn report(&self, refused: u64) -> Option<CodeUnderTest> {
        let findings = &self.findings;
        let known = self.facts.as_ref();
        let known = known.map(|facts| suspicion::code_under_test(facts, refused));
        if known.is_none() && findings.warning.is_none() && !findings.is_narrowed {
            return None;
        }
        let asked = self.asked.as_ref();
        let spent = asked
            .map(|asked| asked.linked().spent())
            .unwrap_or_default();
        Some(CodeUnderTest {
            warning: findings.warning.clone(),
            runs: spent.runs(),
            seconds: spent.time().as_secs_f64(),
            seconds_before: findings.time.as_secs_f64(),
            narrowed: findings.is_narrowed,
            ..known.unwrap_or_default()
        })
    }

    fn runs(&self, linkage: &Linkage, own: Option<&OwnResults>) -> Option<Cow<'_, Variants>> {
        let asked = self.asked.as_ref();
        asked.map(|asked| asked.on(linkage, own))
    }

    fn mends(&self) -> Vec<(&str, &str)> {
        let mends = self.mends.iter();
        mends.map(|id| (MUTANT_VARIABLE, id.as_str())).collect()
    }

    /// Judges a test that was written anew by the mends, or by what it does where the original passes, if its outcomes are not
    /// those of the original. Where nothing is asked it may have a failure of its own.
    fn judge_anew(
        &self,
        (tree, usual): (&SourceTree, &Signature),
        by: (&Plan, &Linkage),
        make_worker: &MakeWorker<'_>,
        cancel: &Cancel,
    ) -> Result<Judgement, GuardError> {
        let mut none = None;
        let mut trial = WrittenAnew::new(
            self.known(),
            (usual, None),
            by,
            (&mut none, make_worker),
            cancel,
        )?;
        match trial.run(tree)? {
            Some(ran) => trial.judge(ran),
            None => Ok(Judgement::Refused),
        }
    }

    /// Runs the test under all mends. Where they agree on another value than the one that the failing assertion expects, that value is
    /// expected, and the test is compiled once more.
    fn judge_expecting_anew(
        &self,
        (tree, usual, own): (&SourceTree, &Signature, Option<&OwnResults>),
        by: (&Plan, &Linkage),
        workers: (&mut Option<Worker>, &MakeWorker<'_>),
        cancel: &Cancel,
    ) -> Result<Option<(SourceTree, Judgement)>, GuardError> {
        let mut trial = WrittenAnew::new(self.known(), (usual, own), by, workers, cancel)?;
        let Some(mut ran) = trial.run(tree)? else {
            return Ok(None);
        };
        let (expected, ran) = match trial.expected_by_mends(tree, &mut ran)? {
            Expected::Same => (tree.clone(), Some(ran)),
            Expected::Otherwise(expected) => {
                let ran = trial.run(&expected)?;
                (expected, ran)
            }
            Expected::Unknown => return Ok(None),
        };
        let judgement = ran.map(|ran| trial.judge_part(ran)).transpose()?;
        Ok(judgement.map(|judgement| (expected, judgement)))
    }

    fn knows_right_values(&self) -> bool {
        let has_values =
            |runs: &Variants| runs.own().compares_values && runs.failure().kind.is_of_test();
        let runs = self.runs_of_original();
        self.marked.is_none() && !self.mends.is_empty() && runs.is_some_and(has_values)
    }

    /// Runs the program under mutants of the functions that it has to enter, and under such as leave code out.
    fn judge_again(
        &self,
        (tree, own_results): (&SourceTree, Option<&OwnResults>),
        (plan, linkage): (&Plan, &Linkage),
        make_worker: &MakeWorker<'_>,
        cancel: &Cancel,
    ) -> Result<Option<OwnResults>, GuardError> {
        let (Some(facts), None, Some(runs)) =
            (&self.facts, &self.marked, self.runs(linkage, own_results))
        else {
            return Ok(None);
        };
        let is_asked = |id: &MutantId| runs.entered().contains(&id.0);
        let unjudged = facts.unjudged.iter().copied().filter(is_asked);
        let unjudged: BTreeSet<MutantId> = unjudged.collect();
        if unjudged.is_empty() {
            return Ok(None);
        }
        let own = runs.own();
        let mut plan = runs.plan(plan);
        let mut worker = make_worker(&plan)?;
        if worker
            .compile_original(&plan, &tree.to_files(), cancel)?
            .is_none()
        {
            return Ok(None);
        }
        let record = Some(REACHED_VARIABLE);
        let (unchanged, spent) = worker.run_original(&plan, None, record, own, cancel)?;
        let (Came::Fails(at), Came::Fails(failure)) = (&unchanged.came, &unchanged.compared) else {
            return Ok(None);
        };
        let is_usual = runs.failure().is_same_bug(failure, false) && own.says_expectation(at);
        if !is_usual || spent.running > QUICK {
            return Ok(None);
        }
        plan.run_policy.limits.usual = Some(under_mutant(runs.usual()));
        let passed = reached(unchanged.record.as_deref().unwrap_or_default());
        let others = runs.entered() - &numbers(&unjudged);
        let n_unjudged = unjudged.len();
        let mut functions = EnteredFunctions::new(unjudged, facts.mutants(), &passed, failure);
        let ids: Vec<MutantId> = functions.run.iter().copied().collect();
        let settings: Vec<String> = ids.iter().map(MutantId::to_string).collect();
        let settings = (MUTANT_VARIABLE, &settings[..]);
        let all =
            worker.run_original_with_each(&plan, settings, (record, &unchanged), own, cancel)?;
        for (id, run) in ids.into_iter().zip(all) {
            let passed = reached(run.record.as_deref().unwrap_or_default());
            functions.learn(id, &outcome(&unchanged, run, own), &passed);
        }
        let is_less = functions.needed.len() < n_unjudged;
        Ok(is_less.then(|| OwnResults {
            failure: own_results.and_then(|own| own.failure.clone()),
            outcomes: runs.outcomes().to_vec(),
            entered: Some(&others | &numbers(&functions.needed)),
        }))
    }

    fn runs_of_original(&self) -> Option<&Variants> {
        self.asked.as_ref().map(AskedMutants::linked)
    }

    fn screen(
        &self,
        tree: &SourceTree,
        linked: (&Linkage, &[Unit]),
    ) -> Result<Option<SourceTree>, PointGone<'_>> {
        let marked = self.marked.as_ref();
        marked.map(|code| code.switched(tree, linked)).transpose()
    }

    fn points(&self) -> Option<String> {
        self.marked.as_ref().map(MarkedCode::form)
    }

    fn take_texts(&mut self) -> OtherTexts {
        let marked = self.marked.as_mut();
        marked.map_or_else(OtherTexts::default, MarkedCode::take_texts)
    }

    fn forget_left_out(&mut self, configured: &dyn Fn(usize) -> Option<SourceTree>) {
        if let Some(marked) = &mut self.marked {
            marked.forget_left_out(configured);
        }
    }

    /// Returns the edits that empty the blocks which no run enters: none where the code under test is not in the program,
    /// where no mutant guards it, and where no run shows what a mended program may come to.
    fn unentered_blocks(
        &self,
        tree: &SourceTree,
        (plan, linkage): (&Plan, &Linkage),
        make_worker: &MakeWorker<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<EditSet>, GuardError> {
        let is_merged = !linkage.modules.is_empty();
        let runs = self.runs(linkage, None).filter(|_| is_merged);
        let (Some(marked), Some(runs)) = (&self.marked, runs) else {
            return Ok(Vec::new());
        };
        let settings = std::iter::once(None).chain(runs.settings().map(Some));
        let by = (&runs.plan(plan), settings);
        let blocks = EnteredBlocks::find(marked.with_blocks(tree), by, make_worker, cancel)?;
        let blocks = blocks.filter(|blocks| marked.knows_rest || blocks.has_passed);
        Ok(blocks.map_or_else(Vec::new, |blocks| blocks.empty_others(tree)))
    }
}
