//! Finds the imports that stay in a slice: those of a mentioned name whose target stays. That is an item, another import on
//! the way to it, or something of another crate. An import that would lead nowhere is an error, whatever else is right.

use super::Reach;
use super::by_compiler::note;
use crate::definitions::DefKind;
use crate::ids::{DefId, ImportId, NameId, PathId, ScopeId};
use crate::outline::{Entry, Kind, Mention};
use crate::scopes::PathStart;
use reduce_syntax::poll_interruption;
use std::collections::HashMap;

/// A question about the imports of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Asked {
    /// Does a module, with all modules in it, have an import that stays?
    Exports(usize),
    /// Does a scope have something of this name that stays?
    Provides(ScopeId, NameId, As),
    /// Does the target of an import stay?
    Target(ImportId, As),
}

/// The part of a path for which something is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum As {
    /// Something on the way: a module is there, whether anything in it stays or not.
    Step,
    /// The end of a path: an item that was reached, or a module with something in it.
    End,
}

/// The answers about the imports of a slice, which hold until something more is reached.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The numbers of entries that were reached, of names that were mentioned, and of these in modules.
    state: (usize, usize, usize),
    /// The answers; `None` where a question is being answered.
    known: HashMap<Asked, Option<bool>>,
    /// The number of questions that are being answered.
    depth: usize,
    /// Whether an answer depends on itself, so that one that was given meanwhile may be wrong.
    is_circular: bool,
}

impl Reach<'_> {
    /// Follows the imports that stay: each mentions the names in its path, which may be those of another import, and keeps
    /// the module that it is in and those that its path leads through.
    pub(super) fn follow_imports(&mut self) {
        let is_by_model = self.is_by_model();
        let follows_leaves = self.known.is_none() || is_by_model;
        if follows_leaves {
            self.follow_new_names();
        }
        let imports = self.all().filter(|(_, one)| one.kind.is_import());
        let staying = imports.filter(|(_, one)| self.stays_unreached(one));
        for (idx, import) in staying.collect::<Vec<_>>() {
            if let Some(distance) = self.distance_of(idx) {
                let names = import.mentions.iter();
                let names = names.filter(|mention| !import.names.contains(&mention.name));
                self.note_in_modules(idx, names.clone());
                names.for_each(|&mention| match is_by_model {
                    true => note(&mut self.mentioned, mention.name, distance),
                    false => self.mention(mention, distance),
                });
                if follows_leaves {
                    self.follow_leaves(idx, distance);
                }
            }
            if let Some(module) = import.parent
                && !is_by_model
                && !self.distance.contains_key(&module)
                && let Some(distance) = self.mention_of(&self.outline.all[module])
            {
                self.reach(module, distance);
            }
        }
    }

    /// Mentions what the import of a mentioned name gives that name.
    fn follow_new_names(&mut self) {
        let imports = self.model.collected().imports.iter();
        let renamed = imports.filter_map(|import| {
            let (name, last) = (import.name?, self.last_name(import.path)?);
            let distance = self.mentioned.get(&name).filter(|_| name != last)?;
            Some((last, *distance))
        });
        for (last, distance) in renamed.collect::<Vec<_>>() {
            match self.known {
                Some(_) => note(&mut self.mentioned, last, distance),
                None => self.mention(Mention::plain(last), distance),
            }
        }
    }

    /// Reaches the modules that the leaves of an import lead through.
    fn follow_leaves(&mut self, import: usize, distance: usize) {
        let parent = self.outline.all[import].parent;
        if parent.is_some_and(|module| !self.distance.contains_key(&module)) {
            return;
        }
        let leaves: Vec<ImportId> = self.leaves(import).collect();
        let stay = leaves
            .into_iter()
            .filter(|&leaf| self.leaf_stays(import, leaf));
        let paths = stay.map(|leaf| self.model.collected().imports[leaf.idx()].path);
        for module in paths
            .flat_map(|path| self.modules_on(path))
            .collect::<Vec<_>>()
        {
            self.reach(module, distance);
        }
    }

    /// Returns whether an import stays: if one of its leaves does.
    pub(super) fn import_stays(&self, import: &Entry) -> bool {
        if let Some(stays) = self.known_import_stays(import) {
            return stays;
        }
        let idx = self.outline.of_element(import.element);
        idx.is_none_or(|idx| self.leaves(idx).any(|leaf| self.leaf_stays(idx, leaf)))
    }

    fn leaves(&self, import: usize) -> impl Iterator<Item = ImportId> {
        let leaves = self.outline.leaves.get(&import).into_iter();
        leaves.flatten().copied()
    }

    fn leaf_stays(&self, import: usize, leaf: ImportId) -> bool {
        let name = self.model.collected().imports[leaf.idx()].name;
        let is_wanted = |name| {
            (self.is_wanted(name) && self.is_seen(import, name)) || self.is_of_reached_trait(leaf)
        };
        name.is_none_or(is_wanted) && self.answer(Asked::Target(leaf, As::End))
    }

    /// Returns whether a leaf imports a trait that was reached: a method may be one of its members.
    fn is_of_reached_trait(&self, leaf: ImportId) -> bool {
        if self.known.is_none() {
            return false;
        }
        let path = self.model.collected().imports[leaf.idx()].path;
        let meant = self.model.names().path(path).definitions.into_iter();
        let mut traits = meant.filter(|&def| self.model.definition(def).kind == DefKind::Trait);
        traits.any(|def| self.definition_stays(def, As::End))
    }

    /// Returns whether an import may import something that is mentioned.
    pub(super) fn import_is_wanted(&self, import: &Entry) -> bool {
        let is_glob = import.kind == Kind::Import { glob: true };
        is_glob || import.names.iter().any(|name| self.is_wanted(*name))
    }

    /// Returns whether an import is known to give names to its own module alone, and to those below.
    fn is_private(&self, import: usize) -> bool {
        self.known
            .is_some_and(|known| known.is_private_import(import))
    }

    /// Returns whether a name may be mentioned where an import gives it, as far as that is known.
    fn is_seen(&self, import: usize, name: NameId) -> bool {
        let is_missed = || {
            self.needs
                .is_some_and(|needs| needs.imported.contains(&name))
        };
        match self.outline.all[import].parent {
            Some(module) if self.is_private(import) => {
                self.mentioned_in.contains(&(module, name)) || is_missed()
            }
            _ => true,
        }
    }

    fn is_wanted(&self, name: NameId) -> bool {
        let is_foreign = || self.with_imports && self.outline.only_imported(name);
        self.mentioned.contains_key(&name) || is_foreign()
    }

    /// Returns whether a module stays, or has imports that stay if it does: then it is needed for the names that it exports.
    pub(super) fn module_stays(&self, module: usize) -> bool {
        self.distance.contains_key(&module) || self.answer(Asked::Exports(module))
    }

    /// Answers a question once in each state of the slice. An answer that depends on itself is no there.
    fn answer(&self, asked: Asked) -> bool {
        poll_interruption();
        let state = (
            self.distance.len(),
            self.mentioned.len(),
            self.mentioned_in.len(),
        );
        let mut answers = self.answers.borrow_mut();
        if answers.state != state {
            *answers = Answers {
                state,
                ..Answers::default()
            };
        }
        match answers.known.get(&asked) {
            Some(Some(known)) => return *known,
            Some(None) => {
                answers.is_circular = true;
                return false;
            }
            None => {}
        }
        answers.known.insert(asked, None);
        answers.depth += 1;
        drop(answers);
        let is_so = match asked {
            Asked::Exports(module) => self.exports(module),
            Asked::Provides(scope, name, part) => self.provides(scope, name, part),
            Asked::Target(import, part) => self.target_stays(import, part),
        };
        let mut answers = self.answers.borrow_mut();
        answers.known.insert(asked, Some(is_so));
        answers.depth -= 1;
        if answers.depth == 0 && std::mem::take(&mut answers.is_circular) {
            answers.known.retain(|_, known| *known == Some(true));
        }
        is_so
    }

    fn exports(&self, module: usize) -> bool {
        let is_exported = |import: &&Entry| {
            let idx = self.outline.of_element(import.element);
            !idx.is_some_and(|idx| self.is_private(idx))
        };
        let mut imports = self.outline.imports_in(module).filter(is_exported);
        let within = self.outline.modules_in.get(&module);
        imports.any(|import| self.import_stays(import))
            || within.is_some_and(|all| all.iter().any(|&one| self.answer(Asked::Exports(one))))
    }

    /// Returns whether a scope has an item or an import of a name that stays; where it has neither, whether a glob may bring
    /// the name.
    fn provides(&self, scope: ScopeId, name: NameId, part: As) -> bool {
        let here = self.model.collected().scope(scope);
        let (items, imports) = (here.items.get(&name), here.imports.get(&name));
        if items.is_none() && imports.is_none() {
            let mut globs = here.globs.iter();
            return here.has_unseen || globs.any(|&glob| self.glob_provides(glob, name, part));
        }
        let (mut items, mut imports) = (items.into_iter().flatten(), imports.into_iter().flatten());
        items.any(|&def| self.definition_stays(def, part))
            || imports.any(|&import| self.answer(Asked::Target(import, part)))
    }

    fn glob_provides(&self, glob: ImportId, name: NameId, part: As) -> bool {
        let path = self.model.collected().imports[glob.idx()].path;
        let meaning = self.model.names().path(path);
        let own = meaning.definitions.iter();
        let mut scopes = own
            .filter_map(|&def| self.model.definition(def).inside)
            .peekable();
        match scopes.peek() {
            Some(_) => scopes.any(|scope| self.answer(Asked::Provides(scope, name, part))),
            None => true,
        }
    }

    fn definition_stays(&self, def: DefId, part: As) -> bool {
        let definition = self.model.definition(def);
        if definition.kind == DefKind::Module {
            // The root of the crate is no entry.
            let module = self.outline.by_definition.get(&def);
            return part == As::Step || module.is_none_or(|module| self.module_stays(*module));
        }
        let entry = self.outline.entry_of(def, definition);
        entry.is_none_or(|entry| {
            let is_crate = self.outline.all[entry].kind == Kind::ExternCrate;
            is_crate || self.distance.contains_key(&entry)
        })
    }

    /// Returns whether each name on the path of an import is there in the slice, as far as the crate has it.
    fn target_stays(&self, import: ImportId, part: As) -> bool {
        let import = &self.model.collected().imports[import.idx()];
        let n_words = self.model.collected().path(import.path).words.len();
        let part_of = |idx: usize| match idx + 1 == n_words {
            true => part,
            false => As::Step,
        };
        (0..n_words).all(|idx| match idx {
            0 => self.first_is_there(import.path, part_of(0)),
            _ => self.next_is_there(import.path, idx, part_of(idx)),
        })
    }

    /// Returns whether what the first name of a path means is there, as far as it is of the crate.
    fn first_is_there(&self, path: PathId, part: As) -> bool {
        if self.model.starts(path) != PathStart::Scope {
            return true;
        }
        let meant = self.model.names().segment(path, 0).definitions;
        meant.is_empty()
            || meant
                .into_iter()
                .any(|def| self.definition_stays(def, part))
    }

    /// Returns whether a later name of a path is there in the modules before it, if these are of the crate.
    fn next_is_there(&self, path: PathId, idx: usize, part: As) -> bool {
        let collected = self.model.collected();
        let name = collected.words.get(collected.path(path).words[idx]).name;
        let before = self.model.names().segment(path, idx - 1).definitions;
        if before.iter().any(|&def| self.is_enum_without_variants(def)) {
            return false;
        }
        let scopes = before.into_iter().filter_map(|def| {
            let definition = self.model.definition(def);
            let has_items = matches!(definition.kind, DefKind::Module | DefKind::ExternCrate);
            definition.inside.filter(|_| has_items)
        });
        let mut scopes = scopes.peekable();
        scopes.peek().is_none()
            || scopes.any(|scope| self.answer(Asked::Provides(scope, name, part)))
    }

    fn is_enum_without_variants(&self, def: DefId) -> bool {
        let definition = self.model.definition(def);
        let entry = self.outline.entry_of(def, definition);
        definition.kind == DefKind::Enum && entry.is_some_and(|entry| !self.has_contents(entry))
    }

    /// Returns the modules of the crate that a path leads through, or to.
    fn modules_on(&self, path: PathId) -> Vec<usize> {
        let n_words = self.model.collected().path(path).words.len();
        let names = self.model.names();
        let meant = (0..n_words).flat_map(|idx| names.segment(path, idx).definitions);
        let modules = meant.filter(|&def| self.model.definition(def).kind == DefKind::Module);
        let entries = modules.filter_map(|def| self.outline.by_definition.get(&def));
        entries.copied().collect()
    }

    fn last_name(&self, path: PathId) -> Option<NameId> {
        let collected = self.model.collected();
        let last = collected.path(path).words.last();
        last.map(|&word| collected.words.get(word).name)
    }
}
