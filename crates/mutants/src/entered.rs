//! Replaces functions and blocks that no run has entered, which is known from the mutants that runs have passed.

use crate::mutant::{Mutant, MutantId, Operator, by_function};
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, TokenCursor, count_tokens};
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
        // A function inside of another one goes with that one, or may be entered from there.
        let is_inner = functions.keys().any(|other| is_within(function, other));
        if *is_entered || is_inner || functions.iter().any(has_entered) {
            continue;
        }
        let &(file, start, end) = function;
        if let Some(body) = body(&sources.text(file)[start..end]) {
            let body = start + body.start..start + body.end;
            edits.add(Edit::replace(file, &body, NEVER));
        }
    }
    edits
}

/// The block that replaces one that no run has entered.
const NEVER: &str = "{ loop {} }";
/// The expression that replaces the body of an arm, if that is no block and no run has entered it.
const NEVER_ALONE: &str = "loop {}";

/// Puts `loop {}` in place of the outermost blocks and bodies of arms that no run has entered; each change is for one. Blocks in
/// which there are other mutants stay, as these have to be found again.
///
/// `mutants` are those of a text that [`crate::Marks::instrument_with_blocks`] has made of the sources, and `passed` are those
/// that runs have passed. A value of another type than `loop {}` may be needed: whoever uses the changes has to see whether
/// the program still compiles.
#[must_use]
pub fn unentered_blocks(
    sources: &SourceTree,
    mutants: &[Mutant],
    passed: &BTreeSet<MutantId>,
) -> Vec<EditSet> {
    let place = |one: &Mutant, range: &Range<usize>| (one.file, range.start, range.end);
    let is_within = |(file, start, end): (FileId, usize, usize), block: &Mutant| {
        let Range {
            start: first,
            end: last,
        } = block.function_range;
        file == block.file && first <= start && end <= last && (first, last) != (start, end)
    };
    let (blocks, others): (Vec<&Mutant>, Vec<&Mutant>) = mutants
        .iter()
        .partition(|one| one.operator == Operator::Block);
    let (entered, unentered): (Vec<&Mutant>, Vec<&Mutant>) =
        blocks.into_iter().partition(|one| passed.contains(&one.id));
    let may_go = |block: &&Mutant| {
        let mut marked = others.iter().map(|one| place(one, &one.range));
        let mut inner = entered.iter().map(|one| place(one, &one.function_range));
        !marked.any(|one| is_within(one, block)) && !inner.any(|one| is_within(one, block))
    };
    let unentered: Vec<&Mutant> = unentered.into_iter().filter(may_go).collect();
    let is_outermost = |block: &&&Mutant| {
        let place = place(block, &block.function_range);
        !unentered.iter().any(|other| is_within(place, other))
    };
    let outermost = unentered.iter().filter(is_outermost);
    let emptied = outermost.filter_map(|block| {
        let text = &sources.text(block.file)[block.function_range.clone()];
        let instead = match text.starts_with('{') {
            true => NEVER,
            false => NEVER_ALONE,
        };
        let is_longer = count_tokens(text) > count_tokens(instead);
        is_longer.then(|| {
            let mut edits = EditSet::new();
            edits.add(Edit::replace(block.file, &block.function_range, instead));
            edits
        })
    });
    emptied.collect()
}

/// Returns the bytes of a function's body, with its braces. `None` where it does not end with one, or where `loop {}` is of no
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
    use crate::marks::{Marks, without_marks};
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

    /// Checks the text without its unentered blocks. Mutants that read like `marked` are marked before; `entered` are texts that the
    /// entered blocks begin with.
    #[track_caller]
    fn check_blocks(text: &str, marked: &[&str], entered: &[&str], expected: &str) {
        let plain = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let mutants = mutants_of(text);
        let mut marks = Marks::default();
        let is_wanted = |one: &Mutant| marked.contains(&one.mutated.trim());
        let sources = marks.mark(&plain, &mutants, is_wanted).apply(&plain);
        let instrumented = marks.instrument_with_blocks(&sources);
        let text = sources.text(sources.root());
        let is_entered = |one: &&Mutant| {
            let block = &text[one.function_range.clone()];
            one.operator == Operator::Block && entered.iter().any(|begin| block.starts_with(begin))
        };
        let all = instrumented.mutants();
        let passed = all.iter().filter(is_entered).map(|one| one.id).collect();
        let blocks = unentered_blocks(&sources, all, &passed);
        let edits = EditSet::union_of_disjoint(&sources, &blocks);
        let left = without_marks(&edits.apply(&sources));
        assert_eq!(
            reduce_syntax::spaced(left.text(left.root())),
            reduce_syntax::spaced(expected)
        );
    }

    #[test]
    fn blocks_that_no_run_has_entered_go() {
        let text = "fn f(a: u8) -> u8 { if a > 1 { g(a); h(a) } else { match a { 0 => { h(a); 3 } b => b } } } \
                    fn h(a: u8) -> u8 { a + 1 + 2 }";
        check_blocks(
            text,
            &[],
            &["{ if"],
            "fn f(a: u8) -> u8 { if a > 1 { loop {} } else { loop {} } } fn h(a: u8) -> u8 { loop {} }",
        );
        check_blocks(
            text,
            &[],
            &["{ if", "{ match", "{ a +"],
            "fn f(a: u8) -> u8 { if a > 1 { loop {} } else { match a { 0 => { loop {} } b => b } } } \
             fn h(a: u8) -> u8 { a + 1 + 2 }",
        );
    }

    #[test]
    fn bodies_of_arms_that_no_run_has_entered_go() {
        check_blocks(
            "fn f(a: u8) -> u8 { match a { 0 => g(a, 1), 1 if h() => 2, b => g(b, 3) } }",
            &[],
            &["{ match", "g(b"],
            "fn f(a: u8) -> u8 { match a { 0 => loop {}, 1 if h() => 2, b => g(b, 3) } }",
        );
    }

    #[test]
    fn blocks_with_what_is_marked_or_entered_stay() {
        let text = "fn f(a: u8) -> u8 { if a > 1 { g(a); a + 7 } else { let b = || { g(a); h(a) }; b() } }";
        check_blocks(text, &["a - 7"], &["{ if", "{ g(a); h"], text);
        check_blocks(
            text,
            &["a - 7"],
            &["{ if"],
            "fn f(a: u8) -> u8 { if a > 1 { g(a); a + 7 } else { loop {} } }",
        );
    }
}
