//! A failing test of a test target, whose result takes the place of the target's crate root.

use crate::context::Context;
use camino::Utf8PathBuf;
use reduce_oracle::{Baseline, OneTest, TestPackage};

/// A failing test in a file of `tests` or of another test target; the result is again such a file.
#[derive(Debug, Clone)]
pub(crate) struct TestFile {
    /// The test of the target that fails, or the target as a whole.
    pub(crate) test: OneTest,
    /// The crate root of the target, relative to the workspace.
    pub(crate) file: Utf8PathBuf,
    /// The package of the test, with nothing selected but the target.
    pub(crate) package: TestPackage,
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
}
