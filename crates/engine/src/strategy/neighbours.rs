//! Deletion of what can only go together although no name connects it: two or three neighbours, as a window that moves over the
//! program (Vulcan, and C-Reduce's token passes), and a part of what is walked through, with as many steps of the walk.

use super::rewrites::{first_of_each_state, waves_of_each_state};
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{CUTTING_LINES, PASSES, Pass, Program, SHORTENING_STRINGS};
use reduce_syntax::{EditSet, List, ListKind, remove_elements};
use std::ops::Range;

/// The largest number of windows of one state that are tried.
const MOST_WINDOWS: usize = 96;

/// The largest number of steps of a walk that are deleted at once.
const MOST_STEPS: usize = 6;

/// The largest number of parts that are deleted with steps of one walk.
const MOST_PARTS: usize = 64;

/// Tries windows of neighbours, those of one list first, and goes on as long as that brings
/// something. Steps of walks come before.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_neighbours(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let is_wanted = |pass: &&'static Pass| methods.options.passes.contains(Stage::Pass(pass));
    let of_strings = CUTTING_LINES.iter().chain(SHORTENING_STRINGS);
    let of_lists = PASSES.iter().filter(|pass| pass.deletes_elements());
    let passes: Vec<&'static Pass> = of_strings.chain(of_lists).filter(is_wanted).collect();
    let steps = waves_of_each_state(session, |program| with_steps(program, &passes), None)?;
    Ok(steps + first_of_each_state(session, windows)?)
}

/// Returns edits that each delete a part of a program with some of the equal statements that follow each other, such as an
/// element of a list with one of the calls of `next` that go through it.
fn with_steps(program: &Program, passes: &[&Pass]) -> Vec<EditSet> {
    let lists = &program.tree().lists;
    let walks = lists.iter().flat_map(|list| {
        let of_list = walks(program, list).into_iter();
        of_list.map(move |steps| (list, steps))
    });
    let walks: Vec<(&List, Range<usize>)> = walks.collect();
    if walks.is_empty() {
        return Vec::new();
    }
    let parts = passes.iter().flat_map(|pass| pass.single_edits(program));
    let parts: Vec<EditSet> = parts.collect();
    let mut found = Vec::new();
    for (list, steps) in walks {
        let mut all = EditSet::new();
        list.remove(&steps.clone().collect::<Vec<_>>(), &mut all);
        let parts = parts.iter();
        let parts = parts.filter(|part| EditSet::are_disjoint(program.sources(), [part, &all]));
        // Each takes other steps of the walk, so that several may go at once.
        for (from, part) in parts.take(MOST_PARTS).enumerate() {
            for n_steps in 1..=steps.len().min(MOST_STEPS) {
                let chosen = (0..n_steps).map(|nth| steps.start + (from + nth) % steps.len());
                let mut chosen: Vec<usize> = chosen.collect();
                chosen.sort_unstable();
                let mut edits = part.clone();
                list.remove(&chosen, &mut edits);
                found.push(edits);
            }
        }
    }
    found
}

/// Returns the places of equal statements that follow each other in a list.
fn walks(program: &Program, list: &List) -> Vec<Range<usize>> {
    if list.kind != ListKind::Statements {
        return Vec::new();
    }
    let text = |idx: usize| {
        let element = &list.elements[idx];
        &program.sources().text(element.file)[element.range.clone()]
    };
    let mut found = Vec::new();
    let mut start = 0;
    for idx in 1..=list.elements.len() {
        if idx == list.elements.len() || text(idx) != text(start) {
            if idx - start > 1 {
                found.push(start..idx);
            }
            start = idx;
        }
    }
    found
}

/// Returns edits that each delete two or three neighbours: elements of a list that follow each
/// other, or two that follow each other in the text.
fn windows(program: &Program) -> Vec<EditSet> {
    let mut lists = program.tree().lists.clone();
    lists.retain(|list| !matches!(list.kind, ListKind::Bodies | ListKind::Chunks));
    let in_lists = lists
        .iter()
        .enumerate()
        .flat_map(|(idx, list)| windows_of_list(idx, list));
    let all = in_lists.chain(pairs_in_text(&lists));
    let removal = |window: Vec<(usize, usize)>| {
        let mut edits = EditSet::new();
        remove_elements(&lists, window, &mut edits);
        edits
    };
    all.take(MOST_WINDOWS).map(removal).collect()
}

fn windows_of_list(idx: usize, list: &List) -> Vec<Vec<(usize, usize)>> {
    let n = list.elements.len();
    let of_width = |width: usize| {
        let starts = 0..(n + 1).saturating_sub(width);
        starts.map(move |start| (start..start + width).map(|at| (idx, at)).collect())
    };
    match list.kind.is_of_the_crate() {
        true => Vec::new(),
        false => of_width(2).chain(of_width(3)).collect(),
    }
}

fn pairs_in_text(lists: &[List]) -> Vec<Vec<(usize, usize)>> {
    let elements = |(idx, list): (usize, &List)| {
        (0..list.elements.len())
            .map(|at| (idx, at))
            .collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, usize)> = lists.iter().enumerate().flat_map(elements).collect();
    let element = |&(list, at): &(usize, usize)| &lists[list].elements[at];
    all.sort_by_key(|place| (element(place).file, element(place).range.start));
    let follows = |pair: &&[(usize, usize)]| {
        let (one, next) = (element(&pair[0]), element(&pair[1]));
        one.file == next.file && one.range.end <= next.range.start && pair[0].0 != pair[1].0
    };
    let pairs = all.windows(2).filter(follows);
    let in_order = |pair: &[(usize, usize)]| {
        let mut pair = pair.to_vec();
        pair.sort_unstable();
        pair
    };
    pairs.map(in_order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    #[track_caller]
    fn check(text: &str, find: impl Fn(&Program) -> Vec<EditSet>, expected: &[&str]) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let left = find(&Program::new(&sources)).into_iter().map(|edits| {
            let tree = edits.apply(&sources);
            let words = tree.text(tree.root()).split_whitespace();
            words.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(left.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn neighbours_in_a_list_go_two_and_three_at_a_time() {
        check(
            "struct A; struct B; struct C;",
            windows,
            &["struct C;", "struct A;", ""],
        );
    }

    #[test]
    fn neighbours_in_the_text_go_in_pairs() {
        check("fn f(a: A) -> B;", windows, &[]);
        check("type A<B> = C<D>;", windows, &["type A = C;"]);
    }

    #[test]
    fn an_element_alone_has_no_neighbour() {
        check("struct A;", windows, &[]);
    }

    #[test]
    fn a_part_goes_with_some_steps_of_a_walk() {
        let statements = PASSES.iter().filter(|one| one.name == "delete_statements");
        let passes: Vec<&Pass> = CUTTING_LINES.iter().chain(statements).collect();
        check(
            "fn f() { let mut w = g(\"a\\nb\\n\"); w.next(); w.next(); i(); w.next(); }",
            |program| with_steps(program, &passes),
            &[
                "fn f() { let mut w = g(\"a\\n\"); w.next(); i(); w.next(); }",
                "fn f() { let mut w = g(\"a\\n\"); i(); w.next(); }",
                "fn f() { let mut w = g(\"b\\n\"); w.next(); i(); w.next(); }",
                "fn f() { let mut w = g(\"b\\n\"); i(); w.next(); }",
                "fn f() { w.next(); i(); w.next(); }",
                "fn f() { i(); w.next(); }",
                "fn f() { let mut w = g(\"a\\nb\\n\"); w.next(); w.next(); }",
                "fn f() { let mut w = g(\"a\\nb\\n\"); w.next(); }",
                "fn f() { let mut w = g(\"a\\nb\\n\"); w.next(); i(); }",
                "fn f() { let mut w = g(\"a\\nb\\n\"); i(); }",
            ],
        );
    }

    #[test]
    fn statements_that_differ_are_no_walk() {
        let passes: Vec<&Pass> = PASSES.iter().collect();
        let find = |program: &Program| with_steps(program, &passes);
        check("fn f() { a.next(); b.next(); a.next(); }", find, &[]);
    }
}
