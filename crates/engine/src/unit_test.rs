//! A failing unit test: where it stands in its crate, and what its package shows with a result in its place.

use crate::context::Context;
use crate::failure::Failure;
use reduce_gather::{TestPlace, put_back};
use reduce_oracle::{Cancel, Companion, OneTest, Sources, TestPackage, Tested};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// A unit test that is reduced apart from the code that it tests.
#[derive(Debug, Clone)]
pub(crate) struct UnitTest {
    /// The path of the test, as libtest names it.
    pub(crate) name: String,
    /// The test as it is run.
    pub(crate) test: OneTest,
    /// The place in the crate of the part that is reduced.
    pub(crate) place: TestPlace,
    /// The crate as the user has it.
    pub(crate) whole: SourceTree,
    /// The files of the crate that stay as they are while it is reduced.
    pub(crate) fixed: SourceTree,
    /// The files of the reduced part as they were.
    pub(crate) tests: SourceTree,
    /// The package of the test, with nothing selected but the tests of the crate.
    pub(crate) package: TestPackage,
}

impl UnitTest {
    /// Returns the command that runs the test, in the directory of the package.
    pub(crate) fn command(&self) -> String {
        self.package.command(&self.test)
    }

    /// Returns the command by which a companion runs the test, in the directory of the package.
    pub(crate) fn command_of(&self, companion: &Companion) -> String {
        self.package.command_of(&self.test, companion)
    }

    /// Runs the package's test with a result in place of the part that was taken out, and returns
    /// what it shows.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn tested(
        &self,
        context: &Context<'_>,
        reduced: &SourceTree,
        cancel: &Cancel,
    ) -> Result<Tested, Failure> {
        let Some(whole) = put_back(&self.whole, &self.name, reduced) else {
            return Ok(Tested::default());
        };
        let written = whole.to_files();
        let options = context.oracle_options();
        let testing = context.testing(&options, cancel);
        let gone = self.only_of_split(&written);
        Ok(self.package.run(&self.test, &written, &gone, testing)?)
    }

    /// Returns the files that there are only because the crate was split.
    fn only_of_split(&self, written: &Sources) -> BTreeSet<camino::Utf8PathBuf> {
        let of_tests = self.tests.to_files().into_keys();
        of_tests
            .filter(|path| !written.contains_key(path))
            .collect()
    }
}
