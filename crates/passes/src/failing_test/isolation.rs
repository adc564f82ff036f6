//! Finds the parts of a failing test that cannot flow into the failing assertion, and so may go first: other assertions,
//! statements that share no variable with it, and other cases of a table (test case purification: Xuan and Monperrus, 2014).
//!
//! Whether a test without them still fails in the same way is left to who runs it.
//!
//! - `leading` finds the blocks that lead to the assertion that fails.
//! - `variables` says which variables a piece of a function mentions.
//! - `harness` has what fails called in place of a harness of the user's own.
//! - `checks`, `statements`, `printing` and `cases` find what may go.
//! - `computed` says whether the expected value is computed from the same input as the other one.
//! - `narrowing` finds the parts of what the assertion compares that differ.
//! - `literals` says which literals of the setup have to stay, as the assertion expects them, and which calls that wait
//!   (`waiting`).
//!
//! See docs/decisions/failing-tests.md.

mod cases;
mod checks;
mod computed;
mod harness;
mod leading;
mod literals;
mod narrowing;
mod printing;
mod statements;
mod variables;
mod waiting;

use crate::passes::is_assertion_name;
use crate::program::{Place, Program};
pub use checks::functions_of_assertion_macros;
use leading::Leading;
pub use literals::ExpectedLiterals;
pub use narrowing::{Narrowing, narrowings, without_words};
use reduce_model::Position;
use reduce_syntax::{EditSet, SourceTree, TokenCursor};
use std::fmt;
use std::ops::Range;
use variables::Variables;

/// The place of a failed assertion, as the panic's message tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedAt<'a> {
    /// The file of the assertion, as the compiler names it.
    pub path: &'a str,
    /// The line of the assertion, from 1.
    pub line: usize,
    /// The character of the line at which the assertion begins, from 1.
    pub column: usize,
}

impl FailedAt<'_> {
    /// Returns the position of the assertion in some sources; `None` where they have no such place.
    pub(crate) fn position(&self, sources: &SourceTree) -> Option<Position> {
        let mut files = sources.files();
        let (file, _, text) = files.find(|(_, known, _)| known.ends_with(self.path))?;
        let at = offset(text, self.line, self.column)?;
        Some(Position::new(file, at))
    }
}

/// Returns the byte at which a character of a line begins; both are counted from 1.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text.get(start..)?.find('\n')? + 1;
    }
    let mut chars = text.get(start..)?.char_indices();
    let (at, _) = chars.nth(column.checked_sub(1)?)?;
    Some(start + at)
}

/// A change that takes a part out of a test.
#[derive(Debug, Clone)]
enum Isolating {
    /// Removes the elements of lists at these places.
    Remove(Vec<Place>),
    /// Replaces the text at this place.
    Replace(Place, String),
}

/// Parts of a test that may be taken out or rewritten, each of them alone.
pub struct Isolation<'p> {
    program: &'p Program,
    parts: Vec<Isolating>,
    /// The places of numbers that count parts (`3` in `[u8; 3]`), each with the parts that it counts.
    written_lens: Vec<(Place, Range<usize>)>,
}

impl fmt::Debug for Isolation<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Isolation");
        shown.field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl<'p> Isolation<'p> {
    fn new(program: &'p Program, parts: Vec<Isolating>) -> Self {
        Self {
            program,
            parts,
            written_lens: vec![],
        }
    }

    /// Returns the number of parts that may be taken out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no part that may go.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the change that takes some of the parts out. `None` where it changes nothing.
    #[must_use]
    pub fn without(&self, gone: impl IntoIterator<Item = usize>) -> Option<EditSet> {
        let mut change = self.program.change();
        let gone: Vec<usize> = gone.into_iter().collect();
        for &idx in &gone {
            match &self.parts[idx] {
                Isolating::Remove(places) => {
                    for place in places {
                        change.remove(place);
                    }
                }
                Isolating::Replace(place, text) => drop(change.replace(place, text)),
            }
        }
        for (place, all) in &self.written_lens {
            let n_gone = gone.iter().filter(|idx| all.contains(idx)).count();
            change.replace(place, &(all.len() - n_gone).to_string());
        }
        change.finish()
    }
}

/// Returns the change that removes `#[track_caller]`, so that a failed assertion in a function is reported at its own place and
/// not at its caller's. `None` where there is none.
#[must_use]
pub fn without_track_caller(program: &Program) -> Option<EditSet> {
    let mut change = program.change();
    for (file, _, text) in program.sources().files() {
        let cursor = TokenCursor::new(text);
        let attribute = ["#", "[", "track_caller", "]"];
        for idx in cursor.indices().filter(|idx| cursor.are(*idx, &attribute)) {
            change.delete(&Place::new(file, cursor.bytes(idx, idx + 3)));
        }
    }
    change.finish()
}

/// Returns changes after which `main` only calls a function or closure without arguments that leads to the failure.
#[must_use]
pub fn direct_mains(program: &Program, failed: &FailedAt<'_>) -> Vec<EditSet> {
    let failed = failed.position(program.sources());
    failed.map_or_else(Vec::new, |failed| harness::direct_mains(program, failed))
}

/// Returns the change that removes all tests but the one of this name, which is the only one that the harness runs. `None` where
/// there is no other.
#[must_use]
pub fn without_other_tests(program: &Program, test: &str) -> Option<EditSet> {
    let mut change = program.change();
    for test in leading::other_tests(program, test) {
        change.remove(&test);
    }
    change.finish()
}

/// Finds all assertions to take out: not the one that fails, and not those of other tests.
#[must_use]
pub fn passing_checks<'p>(
    program: &'p Program,
    failed: Option<&FailedAt<'_>>,
    test: &str,
) -> Isolation<'p> {
    let failed = failed.and_then(|failed| failed.position(program.sources()));
    let variables = Variables::of(program);
    Isolation::new(program, checks::passing(program, failed, test, &variables))
}

/// Finds the statements to take out that cannot flow into the failing assertion: they share no variable with it, or come after
/// it.
#[must_use]
pub fn unrelated_statements<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Isolation<'p> {
    leading_statements(program, failed, statements::unrelated)
}

/// Finds the statements to take out around the failing assertion that only print.
#[must_use]
pub fn printing_statements<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Isolation<'p> {
    leading_statements(program, failed, printing::printing)
}

/// Finds changes that put borrows into the statements that only print, with which these compile only if they change nothing. What
/// they change otherwise is not seen.
#[must_use]
pub fn borrowing_statements<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Isolation<'p> {
    leading_statements(program, failed, printing::borrowing)
}

/// Finds the statements to take out around the failing assertion that only read, and whose value nothing uses. Whether that
/// changes anything in the code under test has to be asked of [`changes_behind_references`].
#[must_use]
pub fn reading_statements<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Isolation<'p> {
    leading_statements(program, failed, |leading, variables| {
        printing::reading(program, leading, variables)
    })
}

/// Finds changes that put borrows into the statements that only read, with which these compile only if they change nothing that
/// is borrowed.
#[must_use]
pub fn borrowing_reads<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Isolation<'p> {
    leading_statements(program, failed, |leading, variables| {
        printing::borrowing_reads(program, leading, variables)
    })
}

/// Whether code may change values behind shared references, or act on the world outside of the program, judged by the words in
/// it.
#[must_use]
pub fn changes_behind_references(sources: &SourceTree) -> bool {
    let mut files = sources.files();
    files.any(|(_, _, text)| printing::changes_behind_references(text))
}

fn leading_statements<'p>(
    program: &'p Program,
    failed: &FailedAt<'_>,
    find: impl FnOnce(&Leading<'p>, &Variables) -> Vec<Isolating>,
) -> Isolation<'p> {
    let failed = failed.position(program.sources());
    let parts = failed.map(|failed| {
        let leading = Leading::to(program, failed);
        find(&leading, &Variables::of(program))
    });
    Isolation::new(program, parts.unwrap_or_default())
}

/// Finds lists of cases to take out, of which one fails: the elements of a table that a loop goes through, and calls that share
/// no variable.
#[must_use]
pub fn cases<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Vec<Isolation<'p>> {
    let Some(failed) = failed.position(program.sources()) else {
        return vec![];
    };
    let leading = Leading::to(program, failed);
    let variables = Variables::of(program);
    let calls = statements::cases(&leading, &variables).into_iter();
    let calls = calls.map(|parts| Isolation::new(program, parts));
    let tables = cases::tables(program, &leading, &variables);
    calls.chain(tables).collect()
}

/// Finds changes that put borrows into loops over tables of cases, with which these compile only if no round changes what another
/// one sees.
#[must_use]
pub fn borrowing_loops<'p>(program: &'p Program, failed: &FailedAt<'_>) -> Vec<Isolation<'p>> {
    let Some(failed) = failed.position(program.sources()) else {
        return vec![];
    };
    let leading = Leading::to(program, failed);
    cases::borrowing_loops(program, &leading, &Variables::of(program))
}

/// Returns the change that removes the borrows that [`borrowing_loops`] has added; `None` where there are none.
#[must_use]
pub fn without_borrows(program: &Program, failed: &FailedAt<'_>) -> Option<EditSet> {
    let failed = failed.position(program.sources())?;
    cases::without_borrows(program, &Leading::to(program, failed))
}

/// Returns the change that puts the elements of a list that several loops go through in place of its name, so that [`cases`]
/// finds those of each loop.
#[must_use]
pub fn written_lists(program: &Program, failed: &FailedAt<'_>) -> Option<EditSet> {
    let failed = failed.position(program.sources())?;
    let leading = Leading::to(program, failed);
    cases::written_lists(program, &leading, &Variables::of(program))
}

/// Finds the literals of the failing assertion that are in its setup too.
#[must_use]
pub fn expected_literals(program: &Program, failed: &FailedAt<'_>) -> ExpectedLiterals {
    let failed = failed.position(program.sources());
    let expected = failed.map(|failed| literals::expected(program, failed));
    expected.unwrap_or_default()
}

/// Whether a function that asserts something is called at this place.
#[must_use]
pub fn is_asserting_call(program: &Program, failed: &FailedAt<'_>) -> bool {
    let Some(Position { file, at }) = failed.position(program.sources()) else {
        return false;
    };
    let cursor = TokenCursor::new(program.sources().text(file));
    let path = cursor.at_byte(at)..cursor.len();
    let mut path = path.take_while(|idx| cursor.is_name(*idx) || cursor.is(*idx, "::"));
    let name = path.find(|idx| cursor.is(idx + 1, "("));
    name.is_some_and(|name| is_assertion_name(cursor.word(name)))
}

/// Whether the test fails because it unwraps a `Result` or an `Option` without a value.
#[must_use]
pub fn is_unwrapping(program: &Program, failed: &FailedAt<'_>) -> bool {
    let Some(Position { file, at }) = failed.position(program.sources()) else {
        return false;
    };
    let cursor = TokenCursor::new(program.sources().text(file));
    let mut names = cursor
        .indices()
        .filter(|idx| cursor.range(*idx).start == at);
    names.any(|name| {
        let is_known = matches!(cursor.word(name), "expect" | "unwrap");
        is_known && name > 0 && cursor.is(name - 1, ".") && cursor.is(name + 1, "(")
    })
}

/// Whether a function of a test returns a `bool`, so that an assertion may leave the decision to it.
#[must_use]
pub fn has_predicates(sources: &SourceTree) -> bool {
    sources.files().any(|(_, _, text)| {
        let cursor = TokenCursor::new(text);
        let is_returned = |at| cursor.are(at, &["->", "bool", "{"]);
        cursor.indices().any(is_returned)
    })
}

/// Finds the literals that the test of this name passes to functions that assert something.
#[must_use]
pub fn asserted_literals(program: &Program, test: &str) -> ExpectedLiterals {
    literals::of_asserting_calls(program, test)
}

/// Whether the failing assertion compares two values that are computed from one input, so that the right answer depends on that
/// input.
#[must_use]
pub fn computes_expected_value(program: &Program, failed: &FailedAt<'_>) -> bool {
    let failed = failed.position(program.sources());
    failed.is_some_and(|failed| computed::is_computed(program, failed))
}

#[cfg(test)]
mod tests;
