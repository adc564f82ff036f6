//! Replaces generic parameters by `()`, and removes their arguments.

use crate::passes::generics::{Index, Owner, OwnerKind, ParameterId};
use crate::program::Program;
use reduce_syntax::EditSet;
use syn::GenericParam;

pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let index = Index::new(program);
    // The parameters of types come first.
    let mut owners: Vec<(usize, &Owner<'_>)> = index.owners.iter().enumerate().collect();
    owners.sort_by_key(|(_, one)| one.kind != OwnerKind::Type);
    let all = owners.into_iter().flat_map(|(owner, one)| {
        let parameters = one.generics.params.iter().enumerate();
        let types = parameters.filter(|(_, one)| matches!(one, GenericParam::Type(_)));
        types.map(move |(idx, _)| (owner, idx))
    });
    all.filter_map(|one| by_unit(program, &index, one))
        .collect()
}

/// Replaces a parameter by `()`; `None` if nothing mentions the parameter: then it can be deleted.
fn by_unit(program: &Program, index: &Index<'_>, id: ParameterId) -> Option<EditSet> {
    index.mentions(id).next()?;
    let (mut change, mentions) = index.without(id);
    for place in mentions {
        let rest = program.sources().text(place.file).get(place.range.end..)?;
        let is_head = rest.trim_start().starts_with("::");
        change.replace(&place, if is_head { "<()>" } else { "()" });
    }
    change.finish()
}
