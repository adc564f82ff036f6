//! Generic parameters of one item that may stand for each other.

use super::MOST_PAIRS;
use crate::passes::data::{Data, Segment};
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Ident, Lifetime};

pub(super) fn changes(program: &Program<'_>, data: &Data) -> Vec<EditSet> {
    let mut by_owner: HashMap<Position, Vec<&Segment>> = HashMap::new();
    for segment in &data.segments {
        if let Some(owner) = program.mentions().definition(segment.at) {
            by_owner.entry(owner).or_default().push(segment);
        }
    }
    let mut merging = Merging {
        program,
        by_owner,
        found: Vec::new(),
    };
    for file in program.files() {
        let mut owners = Owners {
            file,
            merging: &mut merging,
        };
        owners.visit_file(file.syntax);
    }
    merging.found.truncate(MOST_PAIRS);
    merging.found
}

struct Merging<'d> {
    program: &'d Program<'d>,
    by_owner: HashMap<Position, Vec<&'d Segment>>,
    found: Vec<EditSet>,
}

/// A parameter and its mentions.
struct Parameter {
    sort: Sort,
    name: String,
    idx: usize,
    whole: Place,
    mentions: Vec<Place>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Lifetime,
    Type,
    Const,
}

impl Merging<'_> {
    fn merge(&mut self, all: &[Parameter], owner: Option<Position>) {
        for (a, b) in all.iter().zip(all.iter().skip(1)) {
            if a.sort == b.sort {
                let changes =
                    [(b, a), (a, b)].map(|(from, into)| self.merged(from, into, all.len(), owner));
                self.found.extend(changes.into_iter().flatten());
            }
        }
    }

    fn merged(
        &self,
        from: &Parameter,
        into: &Parameter,
        n: usize,
        owner: Option<Position>,
    ) -> Option<EditSet> {
        let segments = owner.and_then(|owner| self.by_owner.get(&owner));
        let segments = segments
            .into_iter()
            .flatten()
            .filter(|one| one.args.len() == n);
        let args: HashSet<&Place> = segments.filter_map(|one| one.args.get(from.idx)).collect();
        let mut change = self.program.change();
        change.remove(&from.whole);
        for place in &args {
            change.remove(place);
        }
        for place in from.mentions.iter().filter(|place| !args.contains(place)) {
            change.replace(place, &into.name);
        }
        change.finish()
    }
}

struct Owners<'p, 'm, 'd> {
    file: SyntaxFile<'p>,
    merging: &'m mut Merging<'d>,
}

impl Owners<'_, '_, '_> {
    fn owner(
        &mut self,
        generics: &Generics,
        name: Option<&Ident>,
        lifetimes: impl FnOnce(&mut Lifetimes<'_>),
    ) {
        if generics.params.len() < 2 {
            return;
        }
        let mut used = Lifetimes {
            file: self.file,
            places: HashMap::new(),
        };
        if generics.lifetimes().count() > 1 {
            lifetimes(&mut used);
        }
        let parameters = generics.params.iter().enumerate();
        let parameters = parameters.map(|(idx, one)| self.parameter(idx, one, &mut used));
        let parameters: Vec<Parameter> = parameters.collect();
        let owner = name.map(|name| self.file.position(name));
        self.merging.merge(&parameters, owner);
    }

    fn parameter(&self, idx: usize, one: &GenericParam, used: &mut Lifetimes<'_>) -> Parameter {
        let (sort, name, mentions) = match one {
            GenericParam::Lifetime(one) => {
                let name = one.lifetime.ident.to_string();
                let mut mentions = used.places.remove(&name).unwrap_or_default();
                let own = self.file.place(&one.lifetime);
                mentions.retain(|place| *place != own);
                (Sort::Lifetime, format!("'{name}"), mentions)
            }
            GenericParam::Type(one) => {
                (Sort::Type, one.ident.to_string(), self.mentions(&one.ident))
            }
            GenericParam::Const(one) => (
                Sort::Const,
                one.ident.to_string(),
                self.mentions(&one.ident),
            ),
        };
        let whole = self.file.place(one);
        Parameter {
            sort,
            name,
            idx,
            whole,
            mentions,
        }
    }

    fn mentions(&self, name: &Ident) -> Vec<Place> {
        let n = name.to_string().len();
        let mentions = self.merging.program.mentions().of(self.file.position(name));
        mentions
            .iter()
            .map(|&(file, at)| (file, at..at + n))
            .collect()
    }
}

/// Where lifetimes stand, by name.
struct Lifetimes<'p> {
    file: SyntaxFile<'p>,
    places: HashMap<String, Vec<Place>>,
}

impl<'ast> Visit<'ast> for Lifetimes<'_> {
    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        let place = self.file.place_of(lifetime.span());
        self.places
            .entry(lifetime.ident.to_string())
            .or_default()
            .push(place);
    }
}

impl<'ast> Visit<'ast> for Owners<'_, '_, '_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.owner(&item.generics, Some(&item.ident), |used| {
            used.visit_item_struct(item)
        });
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.owner(&item.generics, Some(&item.ident), |used| {
            used.visit_item_enum(item)
        });
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.owner(&item.generics, Some(&item.ident), |used| {
            used.visit_item_union(item)
        });
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.owner(&item.generics, Some(&item.ident), |used| {
            used.visit_item_type(item)
        });
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.owner(&item.generics, Some(&item.ident), |used| {
            used.visit_item_trait(item)
        });
        visit::visit_item_trait(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.owner(&item.generics, None, |used| used.visit_item_impl(item));
        visit::visit_item_impl(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let generics = &item.sig.generics;
        self.owner(generics, Some(&item.sig.ident), |used| {
            used.visit_item_fn(item)
        });
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let generics = &item.sig.generics;
        self.owner(generics, Some(&item.sig.ident), |used| {
            used.visit_impl_item_fn(item)
        });
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        let generics = &item.sig.generics;
        self.owner(generics, Some(&item.sig.ident), |used| {
            used.visit_trait_item_fn(item)
        });
        visit::visit_trait_item_fn(self, item);
    }
}
