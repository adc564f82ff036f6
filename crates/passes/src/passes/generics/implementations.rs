//! The impls of a crate, by the names of their traits.

use super::last_name;
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use std::collections::{BTreeMap, HashSet};
use syn::visit::Visit;
use syn::{ImplItem, ImplItemType, Item, ItemImpl, ItemTrait};

/// An impl.
#[derive(Clone, Copy)]
pub(in super::super) struct Implementation<'p> {
    pub(in super::super) file: SyntaxFile<'p>,
    pub(in super::super) block: &'p ItemImpl,
}

/// All impls and traits of a crate, in order.
#[derive(Default)]
pub(in super::super) struct Implementations<'p> {
    pub(in super::super) all: Vec<Implementation<'p>>,
    pub(in super::super) traits: Vec<(SyntaxFile<'p>, &'p ItemTrait)>,
    by_trait: BTreeMap<String, Vec<usize>>,
    by_type: BTreeMap<&'p str, Vec<usize>>,
}

impl<'p> Implementations<'p> {
    pub(in super::super) fn new(program: &'p Program) -> Self {
        let mut found = Self::default();
        visit::each(program, |at, node| match node {
            Node::Item(Item::Impl(block)) => found.add(Implementation {
                file: at.file,
                block,
            }),
            Node::Item(Item::Trait(one)) => found.traits.push((at.file, one)),
            _ => {}
        });
        found
    }

    fn add(&mut self, one: Implementation<'p>) {
        if let Some(name) = one.trait_name() {
            let idx = self.all.len();
            self.by_trait.entry(name).or_default().push(idx);
            self.by_type.entry(one.self_ty()).or_default().push(idx);
        }
        self.all.push(one);
    }

    /// The impls of the trait of a name, inherent ones left out.
    pub(in super::super) fn of(&self, name: &str) -> impl Iterator<Item = Implementation<'p>> + '_ {
        let found = self.by_trait.get(name).into_iter().flatten();
        found.filter_map(|&idx| self.all.get(idx).copied())
    }

    /// The impls of traits for what is spelled so.
    pub(in super::super) fn with_type(
        &self,
        ty: &str,
    ) -> impl Iterator<Item = Implementation<'p>> + '_ {
        let found = self.by_type.get(ty).into_iter().flatten();
        found.filter_map(|&idx| self.all.get(idx).copied())
    }

    /// The short types that implement the trait of a name and are the same for everybody.
    pub(in super::super) fn types(&self, name: &str) -> Vec<&'p str> {
        const MOST: usize = 4;
        let mut found: Vec<&str> = Vec::new();
        for one in self.of(name).filter(|one| one.is_concrete()) {
            let ty = one.self_ty();
            if reduce_syntax::count_tokens(ty) <= MOST as u64 && !found.contains(&ty) {
                found.push(ty);
            }
            if found.len() == MOST {
                break;
            }
        }
        found
    }
}

impl<'p> Implementation<'p> {
    /// The text of the type.
    pub(in super::super) fn self_ty(self) -> &'p str {
        self.file.text(&self.block.self_ty)
    }

    /// The last name of the trait.
    pub(in super::super) fn trait_name(self) -> Option<String> {
        let (path, _) = self.block.trait_.as_ref()?;
        last_name(path).map(ToString::to_string)
    }

    /// Whether its type mentions no parameter of the impl, and is no trait object.
    fn is_concrete(self) -> bool {
        if self.block.modifiers.polarity.is_some() {
            return false;
        }
        let generics = &self.block.generics;
        let names = generics.params.iter().filter_map(super::name_of);
        let lifetimes = generics.lifetimes().map(|one| &one.lifetime.ident);
        let names: HashSet<String> = names.chain(lifetimes).map(ToString::to_string).collect();
        let mut mentions = Mentions {
            names,
            is_found: false,
        };
        mentions.visit_type(&self.block.self_ty);
        !mentions.is_found
    }

    /// What it gives for the associated type of a name.
    pub(in super::super) fn value(self, name: &str) -> Option<&'p ImplItemType> {
        self.block.items.iter().find_map(|item| match item {
            ImplItem::Type(one) if one.ident == name => Some(one),
            _ => None,
        })
    }
}

/// Looks for names in a type, and for what is no type of its own.
struct Mentions {
    names: HashSet<String>,
    is_found: bool,
}

impl<'p> Visit<'p> for Mentions {
    fn visit_ident(&mut self, ident: &'p syn::Ident) {
        self.is_found |= self.names.contains(&ident.to_string());
    }

    fn visit_lifetime(&mut self, lifetime: &'p syn::Lifetime) {
        self.is_found |= self.names.contains(&lifetime.ident.to_string());
    }

    fn visit_type_trait_object(&mut self, _object: &'p syn::TypeTraitObject) {
        self.is_found = true;
    }
}
