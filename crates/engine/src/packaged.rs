//! A failing test of a package, whose result is also shown to fail in the place of the original in
//! that package.

use crate::context::Context;
use crate::failure::Failure;
use crate::figures::GoesTo;
use crate::test_file::TestFile;
use crate::unit_test::UnitTest;
use reduce_oracle::{Cancel, Companion, OneTest, TestPackage, Tested};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// A failing test of a package.
#[derive(Debug, Clone)]
pub(crate) enum PackagedTest {
    /// A unit test, which stands in the crate that it tests.
    Unit(UnitTest),
    /// A test of a test target.
    File(TestFile),
}

impl PackagedTest {
    /// Returns the test if it is a unit test, of which only a part of a crate is reduced.
    pub(crate) fn unit(&self) -> Option<&UnitTest> {
        match self {
            Self::Unit(test) => Some(test),
            Self::File(_) => None,
        }
    }

    /// Returns the test's name in its harness; of a test that is its own harness, its file.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Unit(test) => &test.name,
            Self::File(test) => match &test.test {
                OneTest::Libtest { path, .. } => path,
                OneTest::OwnHarness(_) => test.file.as_str(),
            },
        }
    }

    fn in_package(&self) -> (&OneTest, &TestPackage) {
        match self {
            Self::Unit(test) => (&test.test, &test.package),
            Self::File(test) => (&test.test, &test.package),
        }
    }

    /// Returns the command that runs the test, in the directory of the package.
    pub(crate) fn command(&self) -> String {
        let (test, package) = self.in_package();
        package.command(test)
    }

    /// Returns the command by which a companion runs the test, in the directory of the package.
    pub(crate) fn command_of(&self, companion: &Companion) -> String {
        let (test, package) = self.in_package();
        package.command_of(test, companion)
    }

    /// Returns the part of the package that the result replaces.
    pub(crate) fn goes_to(&self) -> GoesTo {
        match self {
            Self::Unit(test) => GoesTo::from(&test.place),
            Self::File(test) => GoesTo::TestFile {
                file: test.file.to_string(),
            },
        }
    }

    /// Runs the package's test with a result in its place, and returns the outcome. Files of a test target that the result
    /// does not have any more stay, as other targets may have them too.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn tested(
        &self,
        context: &Context<'_>,
        reduced: &SourceTree,
        cancel: &Cancel,
    ) -> Result<Tested, Failure> {
        let files = match self {
            Self::Unit(test) => test.put_back(reduced),
            Self::File(_) => Some((reduced.to_files(), BTreeSet::new())),
        };
        let Some((written, gone)) = files else {
            return Ok(Tested::default());
        };
        let options = context.oracle_options();
        let testing = context.testing(&options, cancel);
        let (test, package) = self.in_package();
        Ok(package.run(test, &written, &gone, testing)?)
    }
}
