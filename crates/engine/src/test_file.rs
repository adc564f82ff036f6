//! A failing test of a test target: what its package shows with a result in place of the target's crate root.

use crate::context::Context;
use crate::failure::Failure;
use camino::Utf8PathBuf;
use reduce_oracle::{Baseline, Cancel, Companion, OneTest, TestPackage, Tested};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// A test in a file of `tests` or another test target, of which the result is such a file again.
#[derive(Debug, Clone)]
pub(crate) struct TestFile {
    /// The test of the target that fails, or the target as a whole.
    pub(crate) test: OneTest,
    /// The crate root of the target, relative to the workspace.
    pub(crate) file: Utf8PathBuf,
    /// The package of the test, with nothing selected but the target.
    package: TestPackage,
}

impl TestFile {
    /// Returns the test that fails, where nothing but the crate of a test target is reduced, and cargo can show
    /// that it fails.
    pub(crate) fn of(baseline: &Baseline, context: &Context<'_>) -> Option<Self> {
        let plan = &baseline.plan;
        let execution = plan.execution()?;
        let test = OneTest::of(execution);
        let is_meant = context.reduces_test_alone() && !context.request.search.as_main;
        // The package has one compiler and its own flags, and runs until a hang is given up. Another version is a package of its own.
        let mut companions = plan.run_policy.companions.iter();
        let has_other_call = plan.is_hang() || companions.any(|one| one.version.is_none());
        if !is_meant || has_other_call {
            return None;
        }
        let file = plan.call.root.clone();
        let package = baseline.package.as_ref()?.of_test_target(&file)?;
        Some(Self {
            test,
            file,
            package,
        })
    }

    /// Returns the command that runs the test, in the directory of the package.
    pub(crate) fn command(&self) -> String {
        self.package.command(&self.test)
    }

    /// Returns the command by which a companion runs the test, in the directory of the package.
    pub(crate) fn command_of(&self, companion: &Companion) -> String {
        self.package.command_of(&self.test, companion)
    }

    /// Runs the package's test with a result in place of the target's files, and returns what it shows. Files
    /// that the result does not have any more stay, as other targets may have them too.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn tested(
        &self,
        context: &Context<'_>,
        reduced: &SourceTree,
        cancel: &Cancel,
    ) -> Result<Tested, Failure> {
        let options = context.oracle_options();
        let testing = context.testing(&options, cancel);
        let written = reduced.to_files();
        Ok(self
            .package
            .run(&self.test, &written, &BTreeSet::new(), testing)?)
    }
}
