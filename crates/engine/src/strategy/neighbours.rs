//! Deletion of two or three neighbours that can only go together although no name connects them, as
//! a window that moves over the program (Vulcan, and C-Reduce's token passes).

use super::rewrites::first_of_each_state;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::session::Session;
use reduce_passes::Program;
use reduce_syntax::{EditSet, List, ListKind, remove_elements};

/// The largest number of windows of one state that are tried.
const MOST_WINDOWS: usize = 96;

/// Tries windows of neighbours, those of one list first, and goes on as long as that brings
/// something.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_neighbours(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    first_of_each_state(session, windows)
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
    fn check(text: &str, expected: &[&str]) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let left = windows(&Program::new(&sources)).into_iter().map(|edits| {
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
            &["struct C;", "struct A;", ""],
        );
    }

    #[test]
    fn neighbours_in_the_text_go_in_pairs() {
        check("fn f(a: A) -> B;", &[]);
        check("type A<B> = C<D>;", &["type A = C;"]);
    }

    #[test]
    fn an_element_alone_has_no_neighbour() {
        check("struct A;", &[]);
    }
}
