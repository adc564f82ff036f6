//! Tests of other kinds as plain ones: what is asked of whoever knows the text of programs.

/// Writes tests of other kinds as plain `#[test]` functions. This crate does not know what syntax is; whoever
/// calls it hands this over.
pub trait PlainTests: Sync {
    /// The file of an integration test that does what a doc test does; `None` where it cannot be written.
    fn of_doc(&self, doc: &DocTest<'_>) -> Option<String>;
}

/// A doc test, and what is written of it.
#[derive(Debug, Clone, Copy)]
pub struct DocTest<'a> {
    /// The file that has the comment.
    pub source: &'a str,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// The name of the function that is written.
    pub name: &'a str,
    /// The library, by the name that code has for it.
    pub library: &'a str,
    /// The edition, such as `2021`.
    pub edition: &'a str,
}

/// Writes none: each test stays as it is.
impl PlainTests for () {
    fn of_doc(&self, _doc: &DocTest<'_>) -> Option<String> {
        None
    }
}
