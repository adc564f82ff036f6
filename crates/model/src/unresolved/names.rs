//! What brings names where, without a model, so that workers can look at it.

use crate::ids::{NameId, Place, ScopeId};
use std::collections::BTreeMap;

/// The names of a crate, and its scopes.
#[derive(Debug, Default)]
pub(super) struct NameTable {
    pub(super) names: BTreeMap<NameId, Name>,
    pub(super) regions: Vec<Region>,
}

/// All that may bring a name, and where it certainly has to be there.
#[derive(Debug, Default)]
pub(super) struct Name {
    pub(super) text: String,
    /// In the order of their scopes.
    pub(super) providers: Vec<Provider>,
    pub(super) mentions: Vec<Mention>,
}

/// Something that brings a name: a definition, an import, a word that a macro gets.
#[derive(Debug)]
pub(super) struct Provider {
    /// The word, which must be there.
    pub(super) place: Place,
    /// The scope in which the name is visible; `None` for all.
    pub(super) scope: Option<ScopeId>,
    /// Whether a `*` may bring it elsewhere.
    pub(super) is_item: bool,
}

/// A word that must mean something of the crate.
#[derive(Debug)]
pub(super) struct Mention {
    /// The words of its path up to this one.
    pub(super) words: Vec<Place>,
    /// The names before it in its path.
    pub(super) before: Vec<NameId>,
    pub(super) scope: ScopeId,
    /// What is inside of the module or enum in which it is looked for.
    pub(super) container: Option<ScopeId>,
}

/// A scope, as far as it matters whether a candidate still has it.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) parent: Option<ScopeId>,
    pub(super) is_module: bool,
    /// What must be there: a module's `mod` and its name, braces, the first and the last byte.
    pub(super) marks: Vec<Place>,
    /// The imports with a `*`.
    pub(super) globs: Vec<Place>,
}

impl NameTable {
    fn region(&self, scope: ScopeId) -> &Region {
        &self.regions[scope.idx()]
    }

    /// A scope and those around it, up to the first that is the last one.
    fn outwards(
        &self,
        scope: ScopeId,
        is_last: impl Fn(&Region) -> bool,
    ) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), move |&scope| {
            let region = self.region(scope);
            region.parent.filter(|_| !is_last(region))
        })
    }

    /// The scopes around a place whose names are visible there, up to the module.
    fn visible_from(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        self.outwards(scope, |region| region.is_module)
    }

    /// The modules around a place.
    pub(super) fn modules_around(&self, scope: ScopeId) -> impl Iterator<Item = &Region> {
        let all = self
            .outwards(scope, |_| false)
            .map(|scope| self.region(scope));
        all.filter(|region| region.is_module)
    }

    /// The scopes in which what is mentioned is looked for.
    fn scopes_of(&self, mention: &Mention) -> Vec<ScopeId> {
        match mention.container {
            Some(container) => vec![container],
            None => self.visible_from(mention.scope).collect(),
        }
    }

    /// The imports with a `*` that may bring what is mentioned.
    pub(super) fn globs(&self, mention: &Mention) -> impl Iterator<Item = &Place> {
        let scopes = self.scopes_of(mention).into_iter();
        scopes.flat_map(|scope| &self.region(scope).globs)
    }

    /// Whether the path to what is mentioned leads to where it did.
    pub(super) fn has_path(&self, mention: &Mention, is_there: &impl Fn(&Place) -> bool) -> bool {
        let names = mention
            .before
            .iter()
            .filter_map(|name| self.names.get(name));
        let mut providers = names.flat_map(|name| &name.providers);
        let around = self.visible_from(mention.scope);
        let mut globs = around.flat_map(|scope| &self.region(scope).globs);
        mention.before.is_empty()
            || providers.all(|one| is_there(&one.place)) && globs.all(is_there)
    }

    /// Something that is there and may bring what is mentioned. Where the scope that had it is not there
    /// as it was, it is visible in what is around.
    pub(super) fn provider<'n>(
        &self,
        name: &'n Name,
        mention: &Mention,
        is_there: &impl Fn(&Place) -> bool,
    ) -> Option<&'n Provider> {
        let scopes = self.scopes_of(mention);
        let of_scopes = scopes.iter().map(|&scope| Some(scope)).chain([None]);
        let mut near = of_scopes.flat_map(|scope| name.providers_in(scope));
        let is_anywhere = self.globs(mention).any(is_there);
        let is_whole = |region: &Region| region.marks.iter().all(is_there);
        let reaches = |from: ScopeId| {
            self.outwards(from, is_whole)
                .any(|one| scopes.contains(&one))
        };
        let is_far = |one: &&Provider| {
            is_there(&one.place) && (is_anywhere && one.is_item || one.scope.is_some_and(reaches))
        };
        near.find(|one| is_there(&one.place))
            .or_else(|| name.providers.iter().find(is_far))
    }
}

impl Name {
    fn providers_in(&self, scope: Option<ScopeId>) -> &[Provider] {
        let start = self.providers.partition_point(|one| one.scope < scope);
        let len = self.providers[start..].partition_point(|one| one.scope == scope);
        &self.providers[start..start + len]
    }
}
