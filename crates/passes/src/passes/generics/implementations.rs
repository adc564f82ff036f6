//! The impls of a crate, by their traits.

use super::{last_name, position_of};
use crate::passes::expressions::types::has_word;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use std::collections::BTreeMap;
use syn::{GenericParam, ImplItem, ImplItemType, Item, ItemImpl, ItemTrait, Path};

/// An impl, and the file in which it stands.
#[derive(Clone, Copy)]
pub(in super::super) struct Implementation<'p> {
    pub(in super::super) file: SyntaxFile<'p>,
    pub(in super::super) block: &'p ItemImpl,
}

/// A trait of the crate, by the position of its name, or a trait of another crate, by its name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum TraitKey<'p> {
    Own(Position),
    Other(&'p str),
}

/// All impls and traits of a crate, in order.
pub(in super::super) struct Implementations<'p> {
    program: &'p Program,
    pub(in super::super) all: Vec<Implementation<'p>>,
    pub(in super::super) traits: Vec<(SyntaxFile<'p>, &'p ItemTrait)>,
    by_trait: BTreeMap<TraitKey<'p>, Vec<usize>>,
    by_type: BTreeMap<&'p str, Vec<usize>>,
}

impl<'p> Implementations<'p> {
    pub(in super::super) fn new(program: &'p Program) -> Self {
        let mut found = Self {
            program,
            all: Vec::new(),
            traits: Vec::new(),
            by_trait: BTreeMap::new(),
            by_type: BTreeMap::new(),
        };
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
        let of_trait = one.block.trait_.as_ref();
        if let Some(key) = of_trait.and_then(|(path, _)| self.key(one.file, path)) {
            let idx = self.all.len();
            self.by_trait.entry(key).or_default().push(idx);
            self.by_type.entry(one.self_ty()).or_default().push(idx);
        }
        self.all.push(one);
    }

    /// Returns the trait that the path of an impl means.
    fn key(&self, file: SyntaxFile<'p>, path: &Path) -> Option<TraitKey<'p>> {
        let name = last_name(path)?;
        Some(match self.program.meant(file.position(name)) {
            Some(def) => TraitKey::Own(self.program.model().definition(def).name),
            None => TraitKey::Other(file.text(name)),
        })
    }

    /// Returns the impls of the trait whose name stands at a place.
    pub(in super::super) fn of(
        &self,
        name: Position,
    ) -> impl Iterator<Item = Implementation<'p>> + '_ {
        self.with_key(TraitKey::Own(name))
    }

    fn with_key(&self, key: TraitKey<'p>) -> impl Iterator<Item = Implementation<'p>> + '_ {
        let found = self.by_trait.get(&key).into_iter().flatten();
        found.filter_map(|&idx| self.all.get(idx).copied())
    }

    /// Returns the impls of traits for the type with this spelling.
    pub(in super::super) fn with_type(
        &self,
        ty: &str,
    ) -> impl Iterator<Item = Implementation<'p>> + '_ {
        let found = self.by_type.get(ty).into_iter().flatten();
        found.filter_map(|&idx| self.all.get(idx).copied())
    }

    /// Returns a short concrete type that implements the trait which a path means.
    pub(in super::super) fn short_type(
        &self,
        file: SyntaxFile<'p>,
        of_trait: &Path,
    ) -> Option<&'p str> {
        const MOST: u64 = 4;
        let all = self.with_key(self.key(file, of_trait)?);
        let mut types = all
            .filter(|one| one.is_concrete(self.program))
            .map(|one| one.self_ty());
        types.find(|ty| reduce_syntax::count_tokens(ty) <= MOST)
    }
}

impl<'p> Implementation<'p> {
    /// Returns the place of the whole impl.
    pub(in super::super) fn place(self) -> Place {
        self.file.place(self.block)
    }

    pub(in super::super) fn is_inherent(self) -> bool {
        self.block.trait_.is_none()
    }

    /// Returns the text of the impl's type.
    pub(in super::super) fn self_ty(self) -> &'p str {
        self.file.text(&self.block.self_ty)
    }

    /// Whether the impl's type mentions no parameter of the impl, and is no trait object.
    fn is_concrete(self, program: &Program) -> bool {
        if self.block.modifiers.polarity.is_some() {
            return false;
        }
        let ty = self.file.place(&self.block.self_ty);
        let mut parameters = self.block.generics.params.iter();
        let is_mentioned = |one: &GenericParam| {
            let mentions = program.mentions().of(position_of(self.file, one));
            mentions.iter().any(|at| at.is_in(&ty))
        };
        !parameters.any(is_mentioned) && !has_word(self.self_ty(), "dyn")
    }

    /// Returns the definition of the associated type of this name in the impl.
    pub(in super::super) fn value(self, name: &str) -> Option<&'p ImplItemType> {
        self.block.items.iter().find_map(|item| match item {
            ImplItem::Type(one) if one.ident == name => Some(one),
            _ => None,
        })
    }
}
