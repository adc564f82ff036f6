//! The judge: a result fails in the faulty package as the original does, and passes in the right one.

use crate::case::{Answer, Case, Target};
use crate::deletions::{Deletions, single_deletions};
use crate::mend::mended;
use crate::outcome::{Failure, Kept, Outcome};
use crate::package::{LONGEST_AGAIN, Package, Variant};
use crate::reduction::{Mode, ReducedTest};
use anyhow::{Result, bail};
use std::fmt;
use std::path::Path;

/// What the judge says of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// It fails with the bug, and passes without it.
    Right,
    /// It passes with the bug and without it.
    PassesOnBoth,
    /// It fails with the bug and without it.
    FailsOnBoth,
    /// It fails in another way than the original.
    OtherFailure,
    /// It is no test of the package.
    DoesNotCompile,
    /// No test ran.
    NotRun,
    /// It took too long.
    Late,
    /// The faulty line is not in a result that should have it.
    NotFound,
    /// The faulty line is there, but nothing is that the right one needs.
    NotMended,
}

impl fmt::Display for Judgement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Judgement::Right => "right",
            Judgement::PassesOnBoth => "passes on both",
            Judgement::FailsOnBoth => "fails on both",
            Judgement::OtherFailure => "other failure",
            Judgement::DoesNotCompile => "does not compile",
            Judgement::NotRun => "no test ran",
            Judgement::Late => "takes too long",
            Judgement::NotFound => "faulty line not found",
            Judgement::NotMended => "right line does not compile",
        })
    }
}

/// The two packages of a case, and how the original test fails in the faulty one.
pub struct Court<'c> {
    case: &'c Case,
    /// The package without the bug.
    pub right: Package<'c>,
    /// The package with the bug.
    pub faulty: Package<'c>,
    failure: Failure,
}

impl<'c> Court<'c> {
    /// Makes both packages, and runs the original test in them.
    pub fn open(case: &'c Case, work: &Path) -> Result<Self> {
        let right = Package::make(case, Variant::Right, work)?;
        let faulty = Package::make(case, Variant::Faulty, work)?;
        let outcome = right.run(true)?;
        if outcome != Outcome::Passed {
            bail!("the test does not pass in the right package: {outcome:?}");
        }
        let failure = match faulty.run(true)? {
            Outcome::Failed(failure) => failure,
            other => bail!("the test does not fail in the faulty package: {other:?}"),
        };
        Ok(Court {
            case,
            right,
            faulty,
            failure,
        })
    }

    /// Judges the person's version. Its failure may be worded in another way.
    pub fn person(&self, test: &ReducedTest) -> Result<Judgement> {
        in_both(&self.faulty, &self.right, test, |_| true)
    }

    /// Judges what a right result becomes by each single deletion.
    pub fn deletions(&self, test: &ReducedTest, mode: Mode) -> Result<Deletions> {
        let mut deletions = Deletions::default();
        for text in single_deletions(&test.text) {
            match self.result(&test.with_text(text), mode)? {
                Judgement::Right => deletions.harmless += 1,
                Judgement::FailsOnBoth | Judgement::NotFound => deletions.wrong += 1,
                _ => {}
            }
        }
        Ok(deletions)
    }

    /// Judges a result.
    pub fn result(&self, test: &ReducedTest, mode: Mode) -> Result<Judgement> {
        let kept = Kept {
            values: self.case.test.answer == Answer::Setup
                && mode != Mode::Good
                && !test.expects_anew,
            file: mode != Mode::Whole,
            kind: !test.expects_anew,
        };
        let is_same = |failure: &Failure| failure.is_same(&self.failure, kept);
        let case = self.case.beside_test();
        let is_doc = test.text.trim_start().starts_with("///");
        let judgement = match mode {
            Mode::Whole => mend(&case, &self.faulty.with_case(&case), test, is_same),
            _ if self.case.test.target == Target::Doc && !is_doc => {
                let packages = [&self.faulty, &self.right].map(|package| package.with_case(&case));
                in_both(&packages[0], &packages[1], test, is_same)
            }
            _ => in_both(&self.faulty, &self.right, test, is_same),
        };
        self.faulty.put_original()?;
        self.right.put_original()?;
        judgement
    }
}

fn in_both(
    faulty: &Package<'_>,
    right: &Package<'_>,
    test: &ReducedTest,
    is_same: impl Fn(&Failure) -> bool,
) -> Result<Judgement> {
    if let Some(judgement) = refusal(&outcome(faulty, test)?, is_same) {
        return Ok(judgement);
    }
    let judgement = match outcome(right, test)? {
        Outcome::Passed => Judgement::Right,
        Outcome::Failed(_) => Judgement::FailsOnBoth,
        Outcome::NotCompiled => Judgement::DoesNotCompile,
        Outcome::NotRun => Judgement::NotRun,
        Outcome::Late => Judgement::Late,
    };
    Ok(judgement)
}

/// A result that has the code under test in it is mended in its own text.
fn mend(
    case: &Case,
    package: &Package<'_>,
    test: &ReducedTest,
    is_same: impl Fn(&Failure) -> bool,
) -> Result<Judgement> {
    if let Some(judgement) = refusal(&outcome(package, test)?, is_same) {
        return Ok(judgement);
    }
    let mut judgement = Judgement::NotFound;
    let forms = case.bug.forms();
    for text in forms.flat_map(|(wrong, right)| mended(&test.text, wrong, right)) {
        judgement = match outcome(package, &test.with_text(text))? {
            Outcome::Passed => return Ok(Judgement::Right),
            Outcome::NotCompiled if judgement != Judgement::FailsOnBoth => Judgement::NotMended,
            Outcome::NotCompiled => judgement,
            _ => Judgement::FailsOnBoth,
        };
    }
    Ok(judgement)
}

/// What becomes of a test in a package, which then has its own test again.
fn outcome(package: &Package<'_>, test: &ReducedTest) -> Result<Outcome> {
    if let Some(alone) = &test.alone {
        let scratch = package.directory.with_file_name("judged");
        return alone.run(&test.text, &scratch, LONGEST_AGAIN);
    }
    package.put_beside(&test.beside)?;
    package.put(&test.text)?;
    let outcome = package.run(false);
    package.put_original()?;
    outcome
}

/// What is said of a test that does not fail in the faulty package as it should.
fn refusal(outcome: &Outcome, is_same: impl Fn(&Failure) -> bool) -> Option<Judgement> {
    match outcome {
        Outcome::Failed(failure) if is_same(failure) => None,
        Outcome::Failed(_) => Some(Judgement::OtherFailure),
        Outcome::Passed => Some(Judgement::PassesOnBoth),
        Outcome::NotCompiled => Some(Judgement::DoesNotCompile),
        Outcome::NotRun => Some(Judgement::NotRun),
        Outcome::Late => Some(Judgement::Late),
    }
}
