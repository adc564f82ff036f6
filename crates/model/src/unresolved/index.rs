//! Reads from the model what brings each name into which scope, and where a name is certainly needed.

mod providers;

use super::doubts::Doubts;
use super::names::{Mention, Name, NameTable};
use crate::collect::Collected;
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, ImportId, NameId, PathId, Place, Position, ScopeId, WordId};
use crate::model::{Model, Resolution};
use crate::nesting::Nesting;
use crate::scopes::{PathStart, ScopeKind, WordRole};
use crate::std_names::is_external;
use std::collections::{BTreeSet, HashSet};

/// Words that may begin a path and are no names.
const ROOTS: [&str; 4] = ["Self", "crate", "self", "super"];

/// The names of a crate. `outside` are those that are there without a definition.
pub(super) fn read(model: &Model, outside: &BTreeSet<String>) -> NameTable {
    let mut index = Index::new(model);
    index.note_providers();
    let mentions = model.words().filter_map(|word| index.mention(word));
    let mentions: Vec<(NameId, Mention, bool)> = mentions.collect();
    let mut excused = index.crates();
    let (mut table, words) = (index.table, index.doubts.words);
    let is_provided = |(name, mention, _): &(NameId, Mention, bool)| {
        let name = table.names.get(name);
        name.is_some_and(|name| table.provider(name, mention, &|_| true).is_some())
    };
    // What nothing here brings comes from elsewhere, wherever else it is mentioned.
    let (provided, others): (Vec<_>, Vec<_>) = mentions.into_iter().partition(is_provided);
    excused.extend(others.into_iter().map(|(name, ..)| name));
    let is_outside =
        |(_, name): &(&NameId, &Name)| outside.contains(&name.text) || words.contains(&name.text);
    excused.extend(table.names.iter().filter(is_outside).map(|(id, _)| *id));
    for (id, mention, is_certain) in provided {
        let is_ours = |name: &NameId| !excused.contains(name);
        if is_certain && is_ours(&id) && mention.before.iter().all(is_ours) {
            let name = table.names.get_mut(&id).expect("something provides it");
            name.mentions.push(mention);
        }
    }
    table
}

struct Index<'m> {
    model: &'m Model,
    collected: &'m Collected,
    doubts: Doubts,
    /// What may not be compiled as it stands there.
    doubtful: Nesting,
    /// What macros get: any word in it may become a name.
    given: Nesting,
    import_paths: HashSet<PathId>,
    /// Those of imports without a `*`.
    leaves: HashSet<PathId>,
    /// Whether a `*` may bring what is in no file of the crate.
    has_foreign_glob: bool,
    table: NameTable,
}

impl<'m> Index<'m> {
    fn new(model: &'m Model) -> Self {
        let collected = model.collected();
        let doubts = Doubts::of(model);
        Self {
            doubtful: Nesting::new([&doubts.given[..], &doubts.configured].concat()),
            given: Nesting::new(doubts.given.iter().cloned()),
            doubts,
            model,
            collected,
            import_paths: collected.imports.iter().map(|one| one.path).collect(),
            leaves: leaves(collected),
            has_foreign_glob: has_foreign_glob(model),
            table: NameTable::default(),
        }
    }

    fn place(&self, word: WordId) -> Place {
        let Position { file, at } = self.model.position(word);
        let raw = self.model.sources().text(file)[at..].starts_with("r#");
        let len = self.model.text(word).len() + if raw { 2 } else { 0 };
        Place::new(file, at..at + len)
    }

    fn is_module(&self, scope: ScopeId) -> bool {
        matches!(self.collected.scope(scope).kind, ScopeKind::Module(_))
    }

    fn name_of(&self, word: WordId) -> NameId {
        self.collected.words.get(word).name
    }

    fn certain(&self, word: WordId) -> Option<DefId> {
        match self.model.resolve(word) {
            Resolution::Certain(def) => Some(def),
            _ => None,
        }
    }

    /// What a word mentions, and whether it is certainly compiled and means something of the crate.
    fn mention(&self, word: WordId) -> Option<(NameId, Mention, bool)> {
        let (path, idx) = match self.model.role(word) {
            WordRole::Segment(path, idx) => (path, idx),
            WordRole::ShorthandField(_, variable) => (variable, 0),
            _ => return None,
        };
        let site = self.collected.path(path);
        let before = &site.words[..idx];
        let is_alone = site.words.len() == 1;
        let is_value = is_alone && site.namespace == Some(Namespace::Value);
        let is_own = |word: WordId| !is_external(self.model.text(word));
        let is_self = is_value && self.model.text(word) == "self";
        let mut names = before.iter().filter(|word| !self.is_root(**word));
        let has_begin = idx > 0 || site.start == PathStart::Scope;
        let is_name = is_self || !self.is_root(word) && is_own(word);
        if !has_begin || !is_name || !names.all(|&word| is_own(word)) {
            return None;
        }
        let container = match before.last() {
            Some(&last) => Some(self.container(last, path)?),
            None => None,
        };
        let words = before.iter().chain([&word]);
        let mention = Mention {
            words: words.map(|&one| self.place(one)).collect(),
            before: before.iter().map(|&one| self.name_of(one)).collect(),
            scope: site.scope,
            container,
        };
        let is_import = self.import_paths.contains(&path);
        let is_imported = || idx == 0 && self.model.importing(path).is_some();
        let is_ours = is_alone && !is_import || is_imported() || self.certain(word).is_some();
        let is_certain = is_ours
            && !site.is_guess
            && (!is_import || self.is_import_certain(path))
            && self.is_compiled(&mention)
            && self.is_seen(&mention, site.namespace);
        Some((self.name_of(word), mention, is_certain))
    }

    /// Whether an import begins in the same way in all editions: in that of 2015 with what the crate's
    /// root has.
    fn is_import_certain(&self, path: PathId) -> bool {
        let site = self.collected.path(path);
        let is_rooted = site.words.first().is_some_and(|&first| self.is_root(first));
        is_rooted || self.collected.scope(site.scope).parent.is_none()
    }

    /// Whether a word begins paths, and is no name.
    fn is_root(&self, word: WordId) -> bool {
        ROOTS.contains(&self.model.text(word))
    }

    /// What is inside of the module or the enum that a word certainly means. A variant of an enum must
    /// be there for imports alone: elsewhere something associated may have its name.
    fn container(&self, word: WordId, path: PathId) -> Option<ScopeId> {
        let definition = self.collected.definition(self.certain(word)?);
        let is_container = match definition.kind {
            DefKind::Module => true,
            DefKind::Enum => self.import_paths.contains(&path),
            _ => false,
        };
        definition.inside.filter(|_| is_container)
    }

    /// Whether a mention is certainly compiled: in the crate's root, or in a file that it includes
    /// without a condition.
    fn is_compiled(&self, mention: &Mention) -> bool {
        let is_doubtful = |at: Position| self.doubtful.around(at).next().is_some();
        let mut here = mention.scope;
        loop {
            let scope = self.collected.scope(here);
            let is_left_out = match scope.kind {
                ScopeKind::Module(def) => is_doubtful(self.collected.definition(def).whole.start()),
                _ => false,
            };
            match scope.parent {
                _ if is_left_out => return false,
                Some(parent) => here = parent,
                None if scope.place.file != self.model.sources().root() => return false,
                None => return !mention.words.iter().any(|word| is_doubtful(word.start())),
            }
        }
    }

    /// Whether all that may bring what is mentioned can be seen.
    fn is_seen(&self, mention: &Mention, namespace: Option<Namespace>) -> bool {
        let is_unread = |scope: ScopeId| is_unread(self.collected, scope);
        let is_hidden = match mention.container {
            Some(container) => self.doubts.includes || is_unread(container),
            None => namespace == Some(Namespace::Macro) && self.doubts.imports_macros,
        };
        let may_be_foreign = self.has_foreign_glob || self.doubts.includes;
        let is_foreign = may_be_foreign && self.table.globs(mention).next().is_some();
        !is_hidden && !is_foreign
    }

    /// Names that mean other crates somewhere: after `::`, in `extern crate`, and as a whole import.
    fn crates(&self) -> HashSet<NameId> {
        let paths = self.collected.paths.iter();
        let paths = paths.filter(|path| path.start == PathStart::Crates);
        let imports = self.collected.imports.iter();
        let imports = imports.map(|import| self.collected.path(import.path));
        let is_crate = |word: &WordId| self.certain(*word).is_none();
        let imports = imports.filter(|path| path.words.len() == 1 && is_crate(&path.words[0]));
        let first = paths.chain(imports).filter_map(|path| path.words.first());
        let definitions = self.collected.definitions.iter();
        let crates = definitions.filter(|one| one.kind == DefKind::ExternCrate);
        let words = first.map(|&word| self.collected.words.get(word).name);
        words.chain(crates.filter_map(|one| one.spelling)).collect()
    }
}

/// Whether nobody has seen the file of a module.
fn is_unread(collected: &Collected, scope: ScopeId) -> bool {
    let scope = collected.scope(scope);
    let ScopeKind::Module(def) = scope.kind else {
        return false;
    };
    let is_here = scope.place.file == collected.definition(def).name.file;
    scope.parent.is_some() && is_here && scope.place.range == (0..0)
}

/// The paths of imports that end with the name that they bring.
fn leaves(collected: &Collected) -> HashSet<PathId> {
    let imports = collected.imports.iter().map(|import| import.path);
    imports
        .filter(|path| collected.path(*path).namespace.is_none())
        .collect()
}

/// Whether a `*` may bring what is in no file of the crate.
fn has_foreign_glob(model: &Model) -> bool {
    let collected = model.collected();
    let is_own = |glob: &ImportId| {
        let words = &collected.path(collected.imports[glob.idx()].path).words;
        let last = words.last().map(|&last| model.resolve(last));
        let Some(Resolution::Certain(def)) = last else {
            return false;
        };
        let inside = collected.definition(def).inside;
        inside.is_some_and(|inside| !is_unread(collected, inside))
    };
    let mut globs = collected.scopes.iter().flat_map(|scope| &scope.globs);
    !globs.all(is_own)
}
