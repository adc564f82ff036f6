//! Functions that no run has entered, as far as mutants tell.

use crate::mutant::{Mutant, MutantId, by_function};
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, TokenCursor};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Puts `loop {}` in place of the bodies of functions that have mutants, none of which was passed.
///
/// That is a guess: a function may have been left before the first of its mutants. Whoever uses it has to see whether
/// the program still does the same.
#[must_use]
pub fn unentered_bodies(
    sources: &SourceTree,
    mutants: &[Mutant],
    passed: &BTreeSet<MutantId>,
) -> EditSet {
    let functions = by_function(mutants).into_iter().map(|all| {
        let Range { start, end } = all[0].function_range;
        let is_entered = all.iter().any(|one| passed.contains(&one.id));
        ((all[0].file, start, end), is_entered)
    });
    let functions: BTreeMap<(FileId, usize, usize), bool> = functions.collect();
    let is_within = |one: &(FileId, usize, usize), other: &(FileId, usize, usize)| {
        one != other && one.0 == other.0 && other.1 <= one.1 && one.2 <= other.2
    };
    let mut edits = EditSet::new();
    for (function, is_entered) in &functions {
        let has_entered =
            |(other, is_entered): (_, &bool)| *is_entered && is_within(other, function);
        // What lies in another function goes with that one, or may be entered from there.
        let is_inner = functions.keys().any(|other| is_within(function, other));
        if *is_entered || is_inner || functions.iter().any(has_entered) {
            continue;
        }
        let &(file, start, end) = function;
        if let Some(body) = body(&sources.text(file)[start..end]) {
            let body = start + body.start..start + body.end;
            edits.add(Edit::replace(file, &body, "{ loop {} }"));
        }
    }
    edits
}

/// The bytes of a function's body with its braces. `None` where it does not end with one, or where `loop {}` is of no
/// type that the function may return.
fn body(function: &str) -> Option<Range<usize>> {
    let cursor = TokenCursor::balanced(function)?;
    let last = cursor
        .len()
        .checked_sub(1)
        .filter(|&last| cursor.is(last, "}"))?;
    let open = cursor.partner(last)?;
    let returns = cursor.find(0..open, "->");
    let is_opaque = returns.is_some_and(|arrow| cursor.find(arrow..open, "impl").is_some());
    (!is_opaque).then(|| cursor.bytes(open, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::mutants_of;
    use camino::Utf8PathBuf;

    /// Compares a crate in which no mutant was passed but those in functions of these names.
    #[track_caller]
    fn check(text: &str, entered: &[&str], expected: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let mutants = mutants_of(text);
        let is_passed = |one: &&Mutant| entered.contains(&one.function.as_str());
        let passed = mutants.iter().filter(is_passed).map(|one| one.id);
        let edits = unentered_bodies(&sources, &mutants, &passed.collect());
        let emptied = edits.apply(&sources);
        assert_eq!(emptied.text(emptied.root()), expected);
    }

    #[test]
    fn what_was_entered_or_has_no_mutants_stays() {
        check(
            "fn f(a: u8) -> bool { a < 1 } fn g(a: u8) -> bool { a < 2 } fn h() {}",
            &["f"],
            "fn f(a: u8) -> bool { a < 1 } fn g(a: u8) -> bool { loop {} } fn h() {}",
        );
    }

    #[test]
    fn what_lies_in_another_function_goes_with_it() {
        let text = "fn f(a: u8) -> bool { fn g(a: u8) -> bool { a < 2 } g(a) }";
        check(text, &[], "fn f(a: u8) -> bool { loop {} }");
        check(text, &["f"], text);
        check(text, &["f::g"], text);
    }

    #[test]
    fn an_opaque_type_is_not_that_of_a_loop() {
        let text = "fn f(a: u8) -> impl Copy { g(a); a < 1 }";
        check(text, &[], text);
    }
}
