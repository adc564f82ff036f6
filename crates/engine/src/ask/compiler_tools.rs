//! The questions to a toolchain that decide no candidate: what names mean, what is unused, how a text is laid out.

use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_model::{CompilerNames, Lack, Position};
use reduce_oracle::Cancel;
use reduce_passes::{Carving, ChangesByValues};
use reduce_syntax::EditSet;
use std::time::Duration;

/// A candidate whose test was written anew and shows the same bug.
#[derive(Debug, Clone)]
pub(crate) struct JudgedAnew {
    /// The candidate, with the outcomes under mutants that it has to keep from now on.
    pub(crate) candidate: Candidate,
    /// Whether the runs by which it was judged are those that a query would make.
    pub(crate) is_decided: bool,
}

impl JudgedAnew {
    /// Makes the judgement of a candidate that stays as it is, about which a query is still made.
    pub(crate) fn as_it_is(candidate: &Candidate) -> Self {
        Self {
            candidate: candidate.clone(),
            is_decided: false,
        }
    }
}

/// The tools of a compiler, asked about programs. Where a tool has no answer, there is none.
pub(crate) trait CompilerTools: Sync {
    /// Has the compiler expand all macro calls of the program; `None` where it cannot.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn expand(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    /// Asks the compiler what the names of a program mean; nothing where it does not say.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn names(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<CompilerNames, Failure> {
        Ok(CompilerNames::default())
    }

    /// Asks like [`Self::names`], and also which functions bodies call; nothing where the compiler does not say
    /// these.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn calls(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<CompilerNames, Failure> {
        Ok(CompilerNames::default())
    }

    /// Returns the edits that delete what the compiler calls unused; none where it cannot say.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn unused(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<EditSet, Failure> {
        Ok(EditSet::new())
    }

    /// Returns the positions of the names of definitions that the compiler calls dead; none where
    /// it cannot say.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn dead_names(
        &self,
        _candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Vec<Position>, Failure> {
        Ok(Vec::new())
    }

    /// Returns the edits that empty the blocks that no run enters, one set for each; none where the blocks
    /// are not known.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn unentered(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<Vec<EditSet>, Failure> {
        Ok(Vec::new())
    }

    /// Returns the edits that may put values in place of expressions and loops which had the same values in all runs;
    /// nothing where the values are not known.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn changes_by_values(
        &self,
        _candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<ChangesByValues, Failure> {
        Ok(ChangesByValues::default())
    }

    /// Returns the forms in which a test can be written anew from the calls that a run of it made, the best first, or the reason why
    /// it cannot; neither where it is not run.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn carved(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<Carving, Failure> {
        Ok(Carving::default())
    }

    /// Judges a candidate whose test was written anew, and has not the outcomes of the original under mutants, by those that mend the
    /// original; `None` where it shows another bug. What has the original's outcomes stays as it is.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn judged_anew(
        &self,
        candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        Ok(Some(JudgedAnew::as_it_is(candidate)))
    }

    /// Judges a candidate whose failing assertion expects the value that the good version, or the mended code under test, computes. The
    /// candidate that is returned has that value if it is known. `None` where it shows another bug.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn expecting_anew(
        &self,
        candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        Ok(Some(JudgedAnew::as_it_is(candidate)))
    }

    /// Judges a smaller program again, whose candidates may have to enter fewer functions than before; `None` where all stays as it is.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn judged_again(
        &self,
        _smaller: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Option<Candidate>, Failure> {
        Ok(None)
    }

    /// Returns the positions of a program's errors; `None` where they are not known.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn error_places(
        &self,
        _candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Option<Vec<Position>>, Failure> {
        Ok(None)
    }

    /// Returns all errors of a program, in all words of the compiler; `None` where it cannot report them, or errors do
    /// not decide alone.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn errors(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<Option<Told>, Failure> {
        Ok(None)
    }

    /// Lays a text out as the toolchain's formatter does; `None` where there is none, or it cannot.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn format(&self, _text: &str, _cancel: &Cancel) -> Result<Option<String>, Failure> {
        Ok(None)
    }
}

/// The errors that the compiler reports of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) errors: Vec<Lack>,
    /// The CPU time of the compiler run.
    pub(crate) cpu: Duration,
}
