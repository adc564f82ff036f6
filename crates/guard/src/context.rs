//! The context in which a guard is prepared: the part of the reduction that it needs to know.

use crate::fidelity::Fidelity;
use crate::package_spec::PackageSpec;
use camino::Utf8Path;
use reduce_oracle::{Cancel, Demands, WarmCompiler};
use reduce_syntax::SourceTree;

/// All that the preparation of a guard needs to know of the reduction.
#[derive(Clone, Copy)]
pub struct GuardContext<'c> {
    /// The directory of the reduction's own files.
    pub scratch: &'c Utf8Path,
    /// The directory of compiled dependencies.
    pub builds: &'c Utf8Path,
    /// The demanded fidelity of the result to the cause of the failure; free where the failure is not that of
    /// a test.
    pub fidelity: Fidelity,
    /// The packages that get mutants besides those of the workspace.
    pub mutate: &'c [PackageSpec],
    /// The user's demands on the failure, beyond that it is the original's.
    pub demands: &'c Demands,
    /// The warm compiler, by whose library programs are forked for their runs under mutants; `None` where each is started
    /// anew.
    pub forks: Option<&'c WarmCompiler>,
    /// Is told in a few words what is being prepared.
    pub note: &'c dyn Fn(&str),
    /// Tells the preparation when to stop.
    pub cancel: &'c Cancel,
}

impl GuardContext<'_> {
    /// Whether the code under test is reduced after the test.
    pub(crate) fn is_whole(&self) -> bool {
        self.fidelity == Fidelity::Whole
    }
}

/// The place of the code under test.
#[derive(Clone, Copy)]
pub enum CodePlace<'p> {
    /// The code under test is in crates that the test links.
    Linked,
    /// The code under test is in the crate of a unit test, which is reduced apart from it.
    Beside(CrateInParts<'p>),
    /// The code under test is in the crate of a unit test, which is reduced as a whole.
    Within,
}

/// The crate of a unit test that is reduced apart from the code that it tests.
#[derive(Clone, Copy)]
pub struct CrateInParts<'p> {
    /// The crate as the user has it.
    pub whole: &'p SourceTree,
    /// The files of the crate that stay as they are while the test is reduced.
    pub fixed: &'p SourceTree,
}
