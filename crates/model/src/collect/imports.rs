//! The names that use declarations bring.

use super::Collector;
use crate::definitions::Namespace;
use crate::ids::{ImportId, NameId, Position};
use crate::scopes::{Import, PathStart, WordRole};
use syn::visit::Visit;
use syn::{Ident, ItemUse, UseTree};

impl Collector<'_> {
    pub(super) fn use_item(&mut self, item: &ItemUse) {
        self.visit_visibility(&item.vis);
        let start = match item.leading_colon {
            Some(_) => PathStart::Crates,
            None => PathStart::Scope,
        };
        self.use_tree(&item.tree, &mut Vec::new(), start);
    }

    pub(super) fn use_tree<'t>(
        &mut self,
        tree: &'t UseTree,
        before: &mut Vec<&'t Ident>,
        start: PathStart,
    ) {
        match tree {
            UseTree::Path(path) => {
                before.push(&path.ident);
                self.use_tree(&path.tree, before, start);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(tree, before, start);
                }
            }
            UseTree::Name(leaf) => self.use_leaf(&leaf.ident, None, before, start),
            UseTree::Rename(leaf) => self.use_leaf(&leaf.ident, Some(&leaf.rename), before, start),
            UseTree::Glob(glob) => {
                let leaf = self.place(glob).start();
                let import = self.push_import(before, start, leaf, true, None);
                self.result.scopes[self.scope.idx()].globs.push(import);
            }
        }
    }

    fn use_leaf<'t>(
        &mut self,
        ident: &'t Ident,
        rename: Option<&'t Ident>,
        before: &mut Vec<&'t Ident>,
        start: PathStart,
    ) {
        let is_self = ident == "self" && !before.is_empty();
        if !is_self {
            before.push(ident);
        }
        let leaf = self.position(ident);
        let name = rename.or(before.last().copied());
        let name = name.map(|name| self.intern(name));
        let import = self.push_import(before, start, leaf, is_self, name);
        if let Some(name) = name.filter(|name| self.result.words.text(*name) != "_") {
            let scope = &mut self.result.scopes[self.scope.idx()];
            scope.imports.entry(name).or_default().push(import);
        }
        if is_self {
            self.set_role(ident, WordRole::ImportName(import));
        } else {
            before.pop();
        }
        if let Some(rename) = rename {
            self.set_role(rename, WordRole::ImportName(import));
        }
    }

    fn push_import(
        &mut self,
        path: &[&Ident],
        start: PathStart,
        leaf: Position,
        of_types: bool,
        name: Option<NameId>,
    ) -> ImportId {
        let namespace = of_types.then_some(Namespace::Type);
        let path = self.push_path(path.iter().copied(), namespace, start);
        let import = ImportId::new(self.result.imports.len());
        self.result.imports.push(Import { path, leaf, name });
        import
    }
}
