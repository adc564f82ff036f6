//! The slice of a program that a linked crate has become a part of: what can be reached from its entry and from the
//! points of the guard, by what the compiler says that names mean. It takes one query where deleting the items one
//! after the other takes a hundred.

use super::growing::grown_with_bodies;
use super::{SliceWidth, by_compiler_in, try_in, width};
use crate::failure::Failure;
use crate::propose::seed_at;
use crate::propose::{MergedProgram, Methods};
use crate::session::Session;
use reduce_guard::points_in;
use reduce_model::Seed;
use reduce_syntax::SourceTree;
use std::ops::RangeInclusive;

/// The sizes, in tokens, of programs that are sliced.
const SLICED: RangeInclusive<u64> = 300..=100_000;

/// The widths of slices where nothing guards the program: all bodies that may be called stay, and all
/// implementations of what is reached.
const WITH_ALL_BODIES: [SliceWidth; 2] = [width(usize::MAX, 0, false), width(usize::MAX, 0, true)];

/// Tries a slice of a program with merged crates: what can be reached from its entry and its marks. Returns how many
/// slices were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn keep_reached(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let is_sliced = SLICED.contains(&session.best().tree.count_tokens());
    let Some(merged) = methods.merged.as_ref().filter(|_| is_sliced) else {
        return Ok(0);
    };
    let seeds = seeds(merged, &session.best().tree);
    let slices = match merged.is_guarded {
        true => grown_with_bodies(session, &seeds)?.into_iter().collect(),
        false => by_compiler_in(session, &seeds, &WITH_ALL_BODIES)?,
    };
    try_in(session, slices)
}

fn seeds(merged: &MergedProgram, tree: &SourceTree) -> Vec<Seed> {
    merged.entry.iter().cloned().chain(points(tree)).collect()
}

/// Returns the places of a program's marks, as seeds of a slice.
pub(crate) fn points(tree: &SourceTree) -> Vec<Seed> {
    let points = points_in(tree).into_iter();
    let seeds = points.map(|(file, start)| seed_at(tree, file, start));
    seeds.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_model::{Model, Relations};
    use std::sync::Arc;

    #[test]
    fn marks_and_the_entry_are_seeds() {
        let text = "fn t() {}\nfn f(a: u8) -> bool {\n    a /*@4*/ < 3\n}\n";
        let tree = SourceTree::single("lib.rs".into(), Arc::from(text));
        let merged = MergedProgram {
            entry: vec![Seed::Name("t".to_owned())],
            is_guarded: true,
        };
        let seeds = seeds(&merged, &tree);
        let model = Model::new(&tree);
        let lasting = Relations::of(&model).lasting(&seeds);
        let path = Seed::Path(vec!["f".to_owned()]);
        assert_eq!(lasting, [Seed::Name("t".to_owned()), path]);
    }
}
