//! Generic parameters become `()`, and their arguments go.

use crate::passes::data::{Data, Parameter, Segment};
use crate::program::{Place, Program};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::{HashMap, HashSet};

pub(super) fn changes(program: &Program, data: &Data) -> Vec<EditSet> {
    let is_type = |one: &&Parameter| !one.is_const && !one.name.starts_with('\'');
    let mut by_owner: HashMap<Position, Vec<&Segment>> = HashMap::new();
    for segment in &data.segments {
        if let Some(owner) = program.mentions().definition(segment.at) {
            by_owner.entry(owner).or_default().push(segment);
        }
    }
    let others = data.parameters.iter().filter(is_type).filter_map(|one| {
        let segments = one.owner.and_then(|owner| by_owner.get(&owner));
        by_unit(program, one, segments.into_iter().flatten().copied())
    });
    let definitions = data.definitions.iter().enumerate();
    let types = definitions.flat_map(|(idx, of)| {
        let parameters = of.generics.iter().filter(is_type);
        parameters.filter_map(move |one| by_unit(program, one, data.segments_of(idx)))
    });
    types.chain(others).collect()
}

/// `None` if nothing mentions the parameter: then it can be deleted.
fn by_unit<'d>(
    program: &Program,
    one: &Parameter,
    segments: impl Iterator<Item = &'d Segment>,
) -> Option<EditSet> {
    let mentions = program.mentions().of(one.at);
    if mentions.is_empty() {
        return None;
    }
    let has_all = segments.filter(|segment| segment.args.len() == one.n);
    let arguments: HashSet<&Place> = has_all.filter_map(|of| of.args.get(one.idx)).collect();
    let mut change = program.change();
    change.remove(&one.place);
    for place in &arguments {
        change.remove(place);
    }
    for &Position { file, at } in mentions {
        let place = Place::new(file, at..at + one.name.len());
        if !arguments.contains(&place) {
            let rest = program.sources().text(file).get(place.range.end..)?;
            let is_head = rest.trim_start().starts_with("::");
            change.replace(&place, if is_head { "<()>" } else { "()" });
        }
    }
    change.finish()
}
