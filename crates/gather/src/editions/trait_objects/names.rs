//! Decides which words of a text name a trait. The model knows this of the traits that the crate defines. Of the others it is
//! seen from the path by which they are imported, and from what they bound: that is a trait.

use super::known;
use reduce_model::{DefKind, Model, Namespace, Position, Resolution};
use reduce_syntax::{TokenCursor, byte_range};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{ItemImpl, ItemUse, Path, Type, TypeParamBound, TypePath, UseTree};

/// The names of the traits of a crate of one file.
pub(crate) struct TraitNames<'m> {
    model: &'m Model,
    /// The names of all traits, and of all types, wherever they are defined.
    traits: BTreeSet<&'m str>,
    types: BTreeSet<&'m str>,
    /// The paths that are used as bounds, and so name traits.
    bounds: BTreeSet<Vec<&'m str>>,
    /// Whether the crate imports all of a module of `std::io` (`use std::io::prelude::*`), traits included.
    imports_all_of_io: bool,
}

impl<'m> TraitNames<'m> {
    pub(crate) fn new(model: &'m Model, cursor: &TokenCursor<'m>) -> Self {
        let behind = |keywords: &[&str]| {
            let all = cursor
                .indices()
                .filter(|&idx| keywords.contains(&cursor.word(idx)));
            all.map(|idx| cursor.word(idx + 1)).collect()
        };
        let mut names = Self {
            model,
            traits: behind(&["trait"]),
            types: behind(&["struct", "enum", "union", "type"]),
            bounds: BTreeSet::new(),
            imports_all_of_io: false,
        };
        let files = model.parsed().values().filter_map(|one| one.file());
        files.for_each(|file| names.visit_file(file));
        names
    }

    /// Returns whether the word that begins at a byte means a trait.
    pub(crate) fn is_trait(&self, at: usize) -> bool {
        let root = self.model.sources().root();
        let Some(word) = self.model.word_at(Position::new(root, at)) else {
            return false;
        };
        let kind_of = |def| self.model.definition(def).kind;
        let is_outside = || self.is_outside_trait(&self.model.whole_path(word));
        match self.model.resolve(word) {
            Resolution::Certain(def) => {
                kind_of(def) == DefKind::Trait && self.model.text(word) != "Self"
            }
            Resolution::Maybe(defs) => {
                let kinds = defs.into_iter().map(kind_of);
                let kinds: Vec<DefKind> =
                    kinds.filter(|kind| kind.is_in(Namespace::Type)).collect();
                // A name that is defined in text without syntax counts as a tuple struct.
                match kinds.iter().all(|&kind| kind == DefKind::TupleStruct) {
                    true => is_outside(),
                    false => kinds.iter().all(|&kind| kind == DefKind::Trait),
                }
            }
            Resolution::Outside | Resolution::Unknown => is_outside(),
        }
    }

    /// Returns whether a path to something outside of the crate ends with the name of a trait.
    fn is_outside_trait(&self, path: &[&str]) -> bool {
        let is_only_trait = |name: &str| self.traits.contains(name) && !self.types.contains(name);
        let is_brought = |name| self.imports_all_of_io && known::is_in_io_prelude(name);
        self.bounds.contains(path)
            || match *path {
                [name] => known::is_in_prelude(name) || is_brought(name) || is_only_trait(name),
                ["std" | "core" | "alloc", .., parent, name] => known::is_standard(parent, name),
                [.., parent, name] => known::is_standard(parent, name) || is_only_trait(name),
                [] => false,
            }
    }

    fn add_bound<'p>(&mut self, mut names: impl DoubleEndedIterator<Item = &'p syn::Ident>) {
        let Some(last) = names.next_back() else {
            return;
        };
        let at = Position::new(self.model.sources().root(), byte_range(last).start);
        if let Some(word) = self.model.word_at(at) {
            self.bounds.insert(self.model.whole_path(word));
        }
    }

    fn add_bounding_path(&mut self, path: &Path) {
        self.add_bound(path.segments.iter().map(|one| &one.ident));
    }
}

impl<'ast> Visit<'ast> for TraitNames<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if let UseTree::Path(first) = &item.tree
            && first.ident == "std"
        {
            let leaves = reduce_syntax::use_leaves(&item.tree);
            let mut globs = leaves.iter().filter(|leaf| leaf.name().is_none());
            self.imports_all_of_io |=
                globs.any(|glob| glob.prefix.get(1).is_some_and(|second| *second == "io"));
        }
    }

    fn visit_type_param_bound(&mut self, bound: &'ast TypeParamBound) {
        if let TypeParamBound::Trait(bound) = bound {
            self.add_bounding_path(&bound.path);
        }
        visit::visit_type_param_bound(self, bound);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Some((path, _)) = &item.trait_ {
            self.add_bounding_path(path);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        if let Type::Path(TypePath {
            qself: Some(qself),
            path,
            ..
        }) = ty
        {
            let of_trait: Vec<_> = path.segments.iter().take(qself.position).collect();
            self.add_bound(of_trait.iter().map(|one| &one.ident));
        }
        visit::visit_type(self, ty);
    }
}
