//! The reasons why mutants do not guard a test.

/// The number of mutants below which they do not guard an assertion: a single one may tell of something
/// beside the bug.
const FEWEST_ASKED: usize = 2;

/// Returns the reason why so many mutants do not guard a test, if they do not. Several are needed if it fails in its own
/// text, and not in the code under test: a panic there tells what is wrong without them. A single one is enough where it is
/// known to be where the bug is.
pub(crate) fn weakness(n_asked: usize, needs_several: bool) -> Option<&'static str> {
    match n_asked {
        0 => Some("no mutant of the code under test changes the outcome of the test"),
        few if needs_several && few < FEWEST_ASKED => {
            Some("too few mutants of the code under test change the outcome of the test")
        }
        _ => None,
    }
}
