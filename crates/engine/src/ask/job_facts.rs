//! The facts about a job that its oracle knows without asking about a candidate.

use super::crates::Crates;
use crate::candidate::CompileOptions;
use reduce_gather::Edition;
use std::collections::BTreeSet;

/// The facts about a job: what its candidates are, and what they may have.
pub(crate) trait JobFacts: Sync {
    /// Returns the errors that the baseline has, and candidates may have.
    fn allowed_errors(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// Returns the compiler's arguments, with paths of sources relative to the tree; none where they are not known.
    fn arguments(&self, _compile_options: &CompileOptions) -> Vec<String> {
        Vec::new()
    }

    /// Whether candidates are run: then the bodies of called functions matter.
    fn runs_programs(&self) -> bool {
        false
    }

    /// Whether programs are run, and may fail for another cause than the original.
    fn permits_other_causes(&self) -> bool {
        false
    }

    /// Returns whether the failure looks like undefined behaviour, which no check of candidates would detect.
    fn misses_undefined_behaviour(&self) -> bool {
        false
    }

    /// Whether verdicts do not depend on names that a program defines and mentions nowhere.
    fn ignores_lone_names(&self) -> bool {
        false
    }

    /// Returns the path of the test that fails, where it may become the `main` of a program.
    fn test(&self) -> Option<String> {
        None
    }

    /// Returns the crates that the program may be linked with, as text.
    fn crates(&self) -> Option<&Crates> {
        None
    }

    /// Returns the edition in which a program with these compile options is written, if it is one that we know.
    fn edition(&self, _compile_options: &CompileOptions) -> Option<Edition> {
        None
    }

    /// Whether there is a good version (`--good`), with which candidates must not fail.
    fn has_good_version(&self) -> bool {
        false
    }

    /// Whether runs of a candidate may show the value that its failing assertion has to expect.
    fn knows_right_values(&self) -> bool {
        false
    }
}
