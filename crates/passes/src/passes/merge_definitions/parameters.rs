//! Generic parameters of one item that may stand for each other.

use super::MOST_PAIRS;
use crate::passes::generics::{Index, ParameterId, name_place};
use crate::program::{Place, Program};
use reduce_syntax::EditSet;
use std::mem::discriminant;

/// The neighbours of one sort in each list of parameters, the later one merged into the other first.
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
    let (owner, one) = index.declared(from);
    let (_, other) = index.declared(into);
    let arguments = index.arguments_for(from);
    let arguments: Vec<Place> = arguments.map(|(file, one)| file.place(one)).collect();
    let mut change = program.change();
    change.remove(&owner.file.place(one));
    for place in &arguments {
        change.remove(place);
    }
    let name = program.text(&name_place(owner.file, other));
    let is_argument = |place: &Place| arguments.iter().any(|one| place.is_within(one));
    for place in index.mentions(from).filter(|place| !is_argument(place)) {
        change.replace(&place, name);
    }
    change.finish()
}
