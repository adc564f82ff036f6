//! The trait by which the oracle has others work on the text of Rust programs: tests of other kinds written as plain ones,
//! unit tests in another version of their crate, and the files that a program names.

use crate::plan::companion::TwoVersions;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Writes tests of other kinds as plain `#[test]` functions, takes unit tests to another version, and finds the files that a
/// program names. This crate does
/// not know what syntax is; whoever calls it hands this over.
pub trait PlainTests: Sync {
    /// Returns the file of an integration test that does what a doc test does; `None` where it cannot be written.
    fn of_doc(&self, doc: &DocTest<'_>) -> Option<String>;

    /// Returns the path within its file of the function that stands in a line, counted from 1; `None` where none does.
    fn function_in_line(&self, text: &str, line: usize) -> Option<String>;

    /// Returns the failing case of a test that has several cases, such as one of rstest, from the text of its file.
    /// `printed` is what a run of it has printed.
    fn of_case(&self, text: &str, test: &str, printed: &str) -> FailingCase;

    /// Returns the file of an integration test that runs a fuzz target once; `None` where it cannot be written.
    fn of_fuzz_target(&self, target: &FuzzTarget<'_>) -> Option<FuzzTest>;

    /// Returns the files with which two versions of a crate have the same unit test; `None` where the other version has no
    /// place for it.
    fn in_both_versions(&self, test: &TwoCrates<'_>) -> Option<BTreeMap<Utf8PathBuf, Arc<str>>>;

    /// Joins two versions of a file in one text, of which one is compiled by each of [`PlainTests::version_names`]; `None`
    /// where they cannot be one.
    fn in_one_text(&self, before: &str, after: &str) -> Option<String>;

    /// Returns the files that a program names, where the compiler does not say which it reads.
    fn named_files(&self, program: &NamingProgram<'_>) -> BTreeSet<Utf8PathBuf>;

    /// Returns the names that are set for the two versions of a text.
    fn version_names(&self) -> TwoVersions<'static>;

    /// Returns the function that takes both versions out of a joined text again.
    fn both_versions(&self) -> BothVersions;
}

/// A function that takes apart a text that is two versions: the version before, and the one after. A text without differences is both.
pub type BothVersions = fn(&str) -> [String; 2];

/// A program that is searched for the files that it names.
#[derive(Clone, Copy)]
pub struct NamingProgram<'a> {
    /// The crate root, absolute.
    pub root: &'a Utf8Path,
    /// The directory of the program's package, or that of the root.
    pub package: &'a Utf8Path,
    /// The function that reads the text of a file: `None` where there is no such file, and `Some(None)` where it is no text.
    pub read: &'a dyn Fn(&Utf8Path) -> Option<Option<Arc<str>>>,
}

/// A unit test, and two versions of its crate in one directory.
#[derive(Clone, Copy)]
pub struct TwoCrates<'a> {
    /// The path of the test in the crate.
    pub test: &'a str,
    /// The crate root of the version that has the test.
    pub here: &'a Utf8Path,
    /// The crate root of the other version, which is to read the same files of tests.
    pub there: &'a Utf8Path,
    /// Whether the other tests of the good version stay.
    pub keeps_others: bool,
    /// The function that reads the text of a file; `None` where there is no such file, or it is no text.
    pub read: &'a dyn Fn(&Utf8Path) -> Option<Arc<str>>,
}

/// A fuzz target, and the input from which a test is written.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget<'a> {
    /// The text of the file that has the fuzz target.
    pub source: &'a str,
    /// The bytes that make the fuzz target fail.
    pub input: &'a [u8],
    /// The name of the function that is written.
    pub name: &'a str,
}

/// A test that runs a fuzz target once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzTest {
    /// The text of the file.
    pub text: String,
    /// Whether the test needs the crate `arbitrary`, which makes the input of the bytes.
    pub needs_arbitrary: bool,
}

/// The failing case of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailingCase {
    /// The test has no cases, as far as this file says.
    Plain,
    /// The test has a failing case that cannot be written.
    Unreadable,
    /// The failing case as a plain test, in several ways where types are not known; the likeliest first.
    Written(Vec<PlainTest>),
}

/// A file in which a plain test stands for the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainTest {
    /// The text of the file.
    pub text: String,
    /// The path of the test in the crate.
    pub test: String,
}

/// A doc test from which a plain test is written.
#[derive(Debug, Clone, Copy)]
pub struct DocTest<'a> {
    /// The code of the doc test.
    pub code: DocTestCode<'a>,
    /// The name of the function that is written.
    pub name: &'a str,
    /// The library, by the name that code has for it.
    pub library: &'a str,
    /// The edition, such as `2021`.
    pub edition: &'a str,
    /// The `cfg`s that are set for doc tests, in the form of `--cfg`.
    pub cfgs: &'a [String],
}

/// The code of a doc test.
#[derive(Debug, Clone, Copy)]
pub enum DocTestCode<'a> {
    /// A doc test as rustdoc has found it.
    Found {
        /// The words after the opening fence.
        words: &'a str,
        /// The lines between the fences, of which hidden ones have lost their mark.
        text: &'a str,
    },
    /// A doc test in a comment of a file.
    InFile {
        /// The text of the file.
        source: &'a str,
        /// The line of the opening fence, counted from 1.
        line: usize,
    },
}

/// An implementation that writes no plain tests: each test stays as it is.
impl PlainTests for () {
    fn in_one_text(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn named_files(&self, program: &NamingProgram<'_>) -> BTreeSet<Utf8PathBuf> {
        [program.root.to_owned()].into()
    }

    fn version_names(&self) -> TwoVersions<'static> {
        TwoVersions {
            before: "before",
            after: "after",
        }
    }

    fn both_versions(&self) -> BothVersions {
        |text| [text.to_owned(), text.to_owned()]
    }

    fn of_doc(&self, _doc: &DocTest<'_>) -> Option<String> {
        None
    }

    fn function_in_line(&self, _text: &str, _line: usize) -> Option<String> {
        None
    }

    fn of_case(&self, _text: &str, _test: &str, _printed: &str) -> FailingCase {
        FailingCase::Plain
    }

    fn of_fuzz_target(&self, _target: &FuzzTarget<'_>) -> Option<FuzzTest> {
        None
    }

    fn in_both_versions(&self, _test: &TwoCrates<'_>) -> Option<BTreeMap<Utf8PathBuf, Arc<str>>> {
        None
    }
}
