//! Reads modules, with braces or in files of their own.

use super::Collector;
use crate::definitions::DefKind;
use crate::ids::{DefId, Place};
use crate::scopes::ScopeKind;
use syn::ItemMod;
use syn::visit::Visit;

impl Collector<'_> {
    pub(super) fn module(&mut self, module: &ItemMod) {
        let whole = self.place(module);
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
