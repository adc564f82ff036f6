//! Merges generic parameters of one item that may stand for each other.

use super::MOST_PAIRS;
use crate::passes::generics::{Index, ParameterId, name_place};
use crate::program::Program;
use reduce_syntax::EditSet;
use std::mem::discriminant;

/// Merges neighbours of one sort in each list of parameters, the later one into the other first.
pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let index = Index::new(program);
    let owners = index.owners.iter().enumerate();
    let pairs = owners.flat_map(|(owner, one)| {
        let params = one.generics.params.iter();
        let pairs = params.clone().zip(params.skip(1)).enumerate();
        let alike = pairs.filter(|(_, (a, b))| discriminant(*a) == discriminant(*b));
        alike.flat_map(move |(idx, _)| {
            let (a, b) = ((owner, idx), (owner, idx + 1));
            [(b, a), (a, b)]
        })
    });
    let merged = pairs.filter_map(|(from, into)| merged(program, &index, from, into));
    merged.take(MOST_PAIRS).collect()
}

fn merged(
    program: &Program,
    index: &Index<'_>,
    from: ParameterId,
    into: ParameterId,
) -> Option<EditSet> {
    let (owner, other) = index.declared(into);
    let name = program.text(&name_place(owner.file, other));
    let (mut change, mentions) = index.without(from);
    for place in mentions {
        change.replace(&place, name);
    }
    change.finish()
}
