//! Reads the names that use declarations make visible.

use super::Collector;
use crate::definitions::Namespace;
use crate::ids::ImportId;
use crate::scopes::{Import, PathStart, WordRole};
use reduce_syntax::{UseEnd, UseLeaf, use_leaves};
use syn::ItemUse;
use syn::visit::Visit;

impl Collector<'_> {
    pub(super) fn use_item(&mut self, item: &ItemUse) {
        self.visit_visibility(&item.vis);
        let start = match item.leading_colon {
            Some(_) => PathStart::Crates,
            None => PathStart::Scope,
        };
        for leaf in use_leaves(&item.tree) {
            self.use_leaf(leaf, start);
        }
    }

    fn use_leaf(&mut self, import: UseLeaf<'_>, start: PathStart) {
        let leaf = self.place(import.tree).start();
        let (last, mut path) = (import.original(), import.prefix);
        // The path of `a::{self}` is that of `a`.
        let itself = last.filter(|name| *name == "self" && !path.is_empty());
        path.extend(last.filter(|_| itself.is_none()));
        let (name, rename) = match import.end {
            UseEnd::Name(_) => (path.last().copied(), None),
            UseEnd::Rename(_, name) => (Some(name), Some(name)),
            UseEnd::Glob => (None, None),
        };
        let name = name.map(|name| self.intern(name));
        let of_types = itself.is_some() || name.is_none();
        let path = self.push_path(path, of_types.then_some(Namespace::Type), start);
        let import = ImportId::new(self.result.imports.len());
        self.result.imports.push(Import { path, leaf, name });
        for ident in itself.into_iter().chain(rename) {
            self.set_role(ident, WordRole::ImportName(import));
        }
        let scope = &mut self.result.scopes[self.scope.idx()];
        match name {
            None => scope.globs.push(import),
            Some(name) if self.result.words.text(name) == "_" => {}
            Some(name) => scope.imports.entry(name).or_default().push(import),
        }
    }
}
