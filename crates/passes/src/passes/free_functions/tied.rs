//! Makes free functions (outside of any impl) of the functions in a generic impl, which keep all that the impl's head
//! says. A compiler that checks the head at the impl checks it at the function too, by its where clause or by a
//! parameter of the type.

use super::super::functions::{Function, Functions};
use super::super::generics::{arguments_after, is_lifetime, name_of, type_name};
use super::mentions::{Mention, Paths};
use super::{Freeing, Members, Tie, members};
use crate::program::{Program, simplest_first};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::Type;

/// The most impls that the pass changes in one program, with up to three candidates for each; with more, other passes
/// have work to do first.
const MAX_IMPLS: usize = 8;

const TIES: [Tie; 3] = [Tie::Generics, Tie::Predicate, Tie::Parameter];

pub(in super::super) fn tied_changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let paths = Paths::of(program);
    let all = members(&functions);
    let generic = all
        .values()
        .filter(|(block, _)| !block.generics.params.is_empty());
    let mut found = Vec::new();
    for of_impl in generic.take(MAX_IMPLS) {
        let strays = strays(program, &paths, of_impl);
        let freed = |tie| {
            let freeing = Freeing {
                program,
                functions: &functions,
                paths: &paths,
                families: &of_impl.1,
                strays: &strays,
                block: of_impl.0,
                tie,
                change: program.change(),
            };
            freeing.edits()
        };
        found.extend(TIES.into_iter().filter_map(freed));
    }
    found.retain(|edits| edits.growth(program.sources()).0 < 0);
    simplest_first(program, found)
}

/// Returns the positions that name a member which the impl's type does not have, if the impl has a single function
/// that nothing mentions.
pub(in super::super) fn strays(
    program: &Program,
    paths: &Paths<'_>,
    (block, families): &Members<'_, '_>,
) -> Vec<Position> {
    let [family] = families.as_slice() else {
        return Vec::new();
    };
    let at = family.first().at;
    let definition = |name| program.mentions().definition(name);
    let own = type_name(&block.self_ty).and_then(|name| definition(at.position(name)));
    if own.is_none() || !family.calls.is_empty() || !family.mentions.is_empty() {
        return Vec::new();
    }
    let is_stray = |(name, mention): &(&Position, &Mention<'_>)| {
        let owner = mention.owner().map(|one| mention.at.position(&one.ident));
        owner.and_then(definition) == own && program.model().resolve_at(**name).only().is_none()
    };
    let mut found: Vec<Position> = paths
        .iter()
        .filter(is_stray)
        .map(|(name, _)| *name)
        .collect();
    found.sort_unstable();
    found
}

impl<'p> Freeing<'_, 'p> {
    /// Returns the turbofish `::<u8>` for a freed function: the arguments for the impl's parameters, as the type
    /// before the name gives them, and then those for the function's own.
    pub(super) fn turbofish(
        &self,
        function: &Function<'p>,
        mention: Mention<'p>,
    ) -> Option<String> {
        let Type::Path(ty) = &*self.block.self_ty else {
            return None;
        };
        let declared = arguments_after(ty.path.segments.last()?);
        let given = arguments_after(mention.owner()?);
        let parameters = self.block.generics.params.iter().filter_map(name_of);
        let argument = |name: &syn::Ident| {
            let mut texts = declared.iter().map(|one| function.at.text(*one));
            let nth = texts.position(|text| *name == text)?;
            given.get(nth).map(|one| mention.at.text(*one))
        };
        let mut all: Vec<&str> = parameters.map(argument).collect::<Option<_>>()?;
        let own = arguments_after(mention.path.path.segments.last()?);
        let n_own = function.generics().filter(|one| !is_lifetime(one)).count();
        all.extend(own.iter().map(|one| mention.at.text(*one)));
        (own.len() == n_own && !all.is_empty()).then(|| format!("::<{}>", all.join(", ")))
    }
}
