//! Reads modules, with braces or in files of their own.

use super::Collector;
use crate::definitions::DefKind;
use crate::ids::{DefId, Place};
use crate::scopes::ScopeKind;
use syn::visit::Visit;
use syn::{AttrStyle, ItemMod, Visibility};

impl Collector<'_> {
    /// Returns the place of a module from its first token to its last one. [`Self::place`] would print all tokens in it to find
    /// these two, anew for each module around it.
    fn place_of_module(&self, module: &ItemMod) -> Place {
        let Some((braces, _)) = &module.content else {
            return self.place(module);
        };
        let mut outer = module
            .attrs
            .iter()
            .filter(|one| matches!(one.style, AttrStyle::Outer));
        let visibility = match &module.vis {
            Visibility::Public(token) => Some(token.span),
            Visibility::Restricted(vis) => Some(vis.pub_token.span),
            Visibility::Inherited => None,
        };
        let attribute = outer.next().map(|one| one.pound_token.span);
        let first = attribute.or(visibility);
        let first = first.or(module.unsafety.map(|token| token.span));
        let first = first.unwrap_or(module.mod_token.span);
        let start = self.place_of(first).range.start;
        let end = self.place_of(braces.span.close()).range.end;
        Place::new(self.file, start..end)
    }

    pub(super) fn module(&mut self, module: &ItemMod) {
        let whole = self.place_of_module(module);
        let def = self.define_item(DefKind::Module, &module.ident, whole);
        self.visit_visibility(&module.vis);
        match &module.content {
            Some((braces, items)) => {
                let place = Place::new(self.file, self.between(braces));
                let inner = self.directory.inline(module);
                let outer = std::mem::replace(&mut self.directory, inner);
                self.module_contents(def, place, |inside| {
                    items.iter().for_each(|item| inside.item(item));
                });
                self.directory = outer;
            }
            None => self.module_file(def, module),
        }
    }

    fn module_contents(
        &mut self,
        def: DefId,
        place: crate::ids::Place,
        read: impl FnOnce(&mut Self),
    ) {
        let scope = self.new_scope(ScopeKind::Module(def), place, Some(self.scope));
        self.result.definitions[def.idx()].inside = Some(scope);
        let outer = std::mem::replace(&mut self.scope, scope);
        self.inside(def, read);
        self.scope = outer;
    }

    fn module_file(&mut self, def: DefId, module: &ItemMod) {
        let candidates = self.directory.candidates(module);
        let files: Vec<(reduce_syntax::FileId, bool)> = candidates
            .into_iter()
            .filter_map(|(path, by_attribute)| Some((self.sources.find(&path)?, by_attribute)))
            .filter(|(file, _)| !self.is_reached(*file))
            .collect();
        let Some((&(file, by_attribute), others)) = files.split_first() else {
            // Nobody knows what is in it.
            let place = Place::new(self.file, 0..0);
            return self.module_contents(def, place, |inside| {
                inside.result.scopes[inside.scope.idx()].has_unseen = true;
            });
        };
        let path = self.sources.path(file);
        let inner = reduce_syntax::ModuleDirectory::of_file(path, false, by_attribute);
        let outer = std::mem::replace(&mut self.directory, inner);
        let len = self.sources.text(file).len();
        self.module_contents(def, Place::new(file, 0..len), |inside| {
            inside.file_contents(file);
            // A configuration decides which of several it is.
            for &(other, _) in others {
                inside.guessing(true, |inside| inside.file_contents(other));
            }
        });
        self.directory = outer;
    }
}
