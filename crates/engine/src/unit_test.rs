//! A failing unit test that is reduced, and how its result is put back into its crate.

use camino::Utf8PathBuf;
use reduce_gather::{TestPlace, put_back};
use reduce_oracle::{OneTest, Sources, TestPackage};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// A unit test that is reduced apart from the code that it tests.
#[derive(Debug, Clone)]
pub(crate) struct UnitTest {
    /// The path of the test, as libtest names it.
    pub(crate) name: String,
    /// The test as a test of libtest, or as the arguments of a harness of its own.
    pub(crate) test: OneTest,
    /// The place in the crate of the part that is reduced.
    pub(crate) place: TestPlace,
    /// All files of the crate as the user has them.
    pub(crate) whole: SourceTree,
    /// The files of the crate that stay as they are while the test is reduced.
    pub(crate) fixed: SourceTree,
    /// The files with the tests, as they were before the reduction.
    pub(crate) tests: SourceTree,
    /// The package of the test, with nothing selected but the tests of the crate.
    pub(crate) package: TestPackage,
}

impl UnitTest {
    /// Returns the files of the crate with a result in the place of the tests, and the files that are to be removed. `None`
    /// where the result has no place in the crate any more.
    pub(crate) fn put_back(
        &self,
        reduced: &SourceTree,
    ) -> Option<(Sources, BTreeSet<Utf8PathBuf>)> {
        let written = put_back(&self.whole, &self.name, reduced)?.to_files();
        let gone = self.only_of_split(&written);
        Some((written, gone))
    }

    /// Returns the files that exist only because the crate was split into tests and code under
    /// test.
    fn only_of_split(&self, written: &Sources) -> BTreeSet<Utf8PathBuf> {
        let of_tests = self.tests.to_files().into_keys();
        of_tests
            .filter(|path| !written.contains_key(path))
            .collect()
    }
}
