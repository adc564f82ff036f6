//! A failing test whose result is shown where it goes in the user's package.

use crate::context::Context;
use crate::failure::Failure;
use crate::figures::GoesTo;
use crate::test_file::TestFile;
use crate::unit_test::UnitTest;
use reduce_oracle::{Cancel, Companion, OneTest, Tested};
use reduce_syntax::SourceTree;

/// A failing test of a package.
#[derive(Debug, Clone)]
pub(crate) enum PackagedTest {
    /// A unit test, which stands in the crate that it tests.
    Unit(UnitTest),
    /// A test of a test target.
    File(TestFile),
}

impl PackagedTest {
    /// Returns the test, where what is reduced is a part of a crate.
    pub(crate) fn unit(&self) -> Option<&UnitTest> {
        match self {
            Self::Unit(test) => Some(test),
            Self::File(_) => None,
        }
    }

    /// Returns the test as its harness names it; the file of a test that is its own harness.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Unit(test) => &test.name,
            Self::File(test) => match &test.test {
                OneTest::Libtest { path, .. } => path,
                OneTest::OwnHarness(_) => test.file.as_str(),
            },
        }
    }

    /// Returns the command that runs the test, in the directory of the package.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Unit(test) => test.command(),
            Self::File(test) => test.command(),
        }
    }

    /// Returns the command by which a companion runs the test, in the directory of the package.
    pub(crate) fn command_of(&self, companion: &Companion) -> String {
        match self {
            Self::Unit(test) => test.command_of(companion),
            Self::File(test) => test.command_of(companion),
        }
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

    /// Runs the package's test with a result in its place, and returns what it shows.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn tested(
        &self,
        context: &Context<'_>,
        reduced: &SourceTree,
        cancel: &Cancel,
    ) -> Result<Tested, Failure> {
        match self {
            Self::Unit(test) => test.tested(context, reduced, cancel),
            Self::File(test) => test.tested(context, reduced, cancel),
        }
    }
}
