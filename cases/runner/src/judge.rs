//! The judge: a result fails in the faulty package as the original does, and passes in the right one.

use crate::case::{Case, Target};
use crate::mend::mended;
use crate::outcome::{Failure, Outcome};
use crate::package::{LONGEST, Package, Variant};
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
        })
    }
}

/// The two packages of a case, and how the original test fails in the faulty one.
pub struct Court<'c> {
    case: &'c Case,
    /// The package as it was published.
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
        let outcome = run(case, &right, true)?;
        if outcome != Outcome::Passed {
            bail!("the test does not pass in the right package: {outcome:?}");
        }
        let failure = match run(case, &faulty, true)? {
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
    pub fn person(&self) -> Result<Judgement> {
        let text = self.case.person_text()?;
        let beside = Vec::new();
        self.in_both(&ReducedTest { text, beside }, |_| true)
    }

    /// Judges a result.
    pub fn result(&self, test: &ReducedTest, mode: Mode) -> Result<Judgement> {
        let is_same = |failure: &Failure| {
            failure.is_same(&self.failure, self.case.test.answer, mode == Mode::Good)
        };
        match mode {
            Mode::Whole => self.whole(test, is_same),
            _ => self.in_both(test, is_same),
        }
    }

    fn in_both(&self, test: &ReducedTest, is_same: impl Fn(&Failure) -> bool) -> Result<Judgement> {
        if let Some(judgement) = refusal(&self.outcome(&self.faulty, test)?, is_same) {
            return Ok(judgement);
        }
        let judgement = match self.outcome(&self.right, test)? {
            Outcome::Passed => Judgement::Right,
            Outcome::Failed(_) => Judgement::FailsOnBoth,
            Outcome::NotCompiled => Judgement::DoesNotCompile,
            Outcome::NotRun => Judgement::NotRun,
            Outcome::Late => Judgement::Late,
        };
        Ok(judgement)
    }

    /// A result that has the code under test in it is mended in its own text.
    fn whole(&self, test: &ReducedTest, is_same: impl Fn(&Failure) -> bool) -> Result<Judgement> {
        if let Some(judgement) = refusal(&self.outcome(&self.faulty, test)?, is_same) {
            return Ok(judgement);
        }
        let bug = &self.case.bug;
        let mut judgement = Judgement::NotFound;
        for text in mended(&test.text, &bug.wrong, &bug.right) {
            let beside = test.beside.clone();
            if self.outcome(&self.faulty, &ReducedTest { text, beside })? == Outcome::Passed {
                return Ok(Judgement::Right);
            }
            judgement = Judgement::FailsOnBoth;
        }
        Ok(judgement)
    }

    fn outcome(&self, package: &Package<'_>, test: &ReducedTest) -> Result<Outcome> {
        package.put_beside(&test.beside)?;
        package.put(&test.text)?;
        let outcome = run(self.case, package, false);
        package.put_original()?;
        outcome
    }
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

/// Runs the test that a package has. In a file of its own there are no others beside a result, and what
/// it is called does not matter.
fn run(case: &Case, package: &Package<'_>, is_original: bool) -> Result<Outcome> {
    let mut arguments = vec!["test".to_owned(), "--locked".to_owned()];
    arguments.extend(case.selection());
    arguments.extend(case.target());
    if is_original || case.test.target != Target::Test {
        arguments.push(case.test.filter.clone());
    }
    let ended = package.cargo().arguments(&arguments).run(LONGEST)?;
    Ok(Outcome::read(&ended, &case.test.file))
}
