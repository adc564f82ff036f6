//! Reads the definitions of a crate, the parts of its text where they are visible, and its paths.
//! Nothing is resolved yet.

mod arguments;
mod collected;
mod generics;
mod imports;
mod items;
mod members;
mod modules;
mod parts;
mod patterns;
mod receivers;
mod visit;
mod written;

pub(crate) use collected::Collected;

use crate::definitions::{DefKind, Definition, Namespace};
use crate::ids::{DefId, NameId, PathId, Place, Position, ScopeId, WordId};
use crate::names::{Hint, Word};
use crate::scopes::{PathSite, PathStart, Scope, ScopeKind, WordRole};
use proc_macro2::Span;
use reduce_syntax::{
    FileId, Located, ModuleDirectory, Parsed, ParsedFiles, SourceTree, byte_range,
    poll_interruption,
};
use std::collections::HashMap;
use std::ops::Range;
use syn::ext::IdentExt;
use syn::{GenericParam, Ident};

impl Collected {
    /// Reads the definitions, words, scopes and paths of a crate. `parsed` has all its files.
    pub(crate) fn new(sources: &SourceTree, parsed: &ParsedFiles) -> Self {
        let mut result = Self::default();
        for (file, _, text) in sources.files() {
            result.words.read(file, text);
        }
        // `use a::B as _` and `const _` have this name, although nobody can use it.
        result.words.intern("_");
        result.roles = result.words.ids().map(|_| WordRole::Loose).collect();
        let root = sources.root();
        let mut collector = Collector {
            sources,
            parsed,
            result,
            file: root,
            scope: ScopeId::new(0),
            owner: None,
            directory: ModuleDirectory::of_file(sources.path(root), true, false),
            is_guess: false,
            visible: 0..0,
            until: 0,
            bound: HashMap::new(),
        };
        collector.root_file(root);
        for (file, _, _) in sources.files() {
            if !collector.is_reached(file) {
                collector.root_file(file);
            }
        }
        let mut result = collector.result;
        result.index();
        result
    }
}

/// Walks over the files of a crate.
struct Collector<'c> {
    sources: &'c SourceTree,
    parsed: &'c ParsedFiles,
    result: Collected,
    file: FileId,
    scope: ScopeId,
    /// The module, type, trait, impl or function that is being read.
    owner: Option<DefId>,
    directory: ModuleDirectory,
    /// Whether the syntax that is read now is the argument of a macro that may mean anything.
    is_guess: bool,
    /// The range of the text in which the variables of the pattern that is read now are visible.
    visible: Range<usize>,
    /// The end of the text in which the variables of an `if let` are visible.
    until: usize,
    /// The variables of the pattern that were met already: those of `A(x) | B(x)` are the same.
    bound: HashMap<NameId, DefId>,
}

impl<'c> Collector<'c> {
    fn place_of(&self, span: Span) -> Place {
        Place::new(self.file, span.byte_range())
    }

    fn place(&self, syntax: &impl Located) -> Place {
        Place::new(self.file, byte_range(syntax))
    }

    /// Returns the range of the text between two braces.
    fn between(&self, braces: &syn::token::Brace) -> Range<usize> {
        let open = self.place_of(braces.span.open()).range;
        open.end..self.place_of(braces.span.close()).range.start
    }

    fn position(&self, ident: &Ident) -> Position {
        self.place_of(ident.span()).start()
    }

    fn word(&self, ident: &Ident) -> Option<WordId> {
        self.result.words.at(self.position(ident))
    }

    fn set_role(&mut self, ident: &Ident, role: WordRole) {
        if let Some(word) = self.word(ident) {
            self.result.roles[word.idx()] = role;
        }
    }

    fn intern(&mut self, ident: &Ident) -> NameId {
        self.result.words.intern(&ident.unraw().to_string())
    }

    /// Adds a definition that is visible nowhere by itself.
    fn define_unseen(&mut self, kind: DefKind, name: Position, whole: Place) -> DefId {
        poll_interruption();
        let def = DefId::new(self.result.definitions.len());
        self.result.definitions.push(Definition {
            kind,
            name,
            whole,
            parent: self.owner,
            spelling: None,
            is_certain: !self.is_guess,
            inside: None,
            body: None,
            head: None,
            subject: None,
            bounds: Vec::new(),
            ty: None,
            is_of_reference: false,
            value: None,
        });
        def
    }

    /// Adds a definition whose name is the word at a place. It is visible nowhere by itself.
    fn define_at(&mut self, kind: DefKind, at: Position, name: NameId, whole: Place) -> DefId {
        let def = self.define_unseen(kind, at, whole);
        self.result.definitions[def.idx()].spelling = Some(name);
        if let Some(word) = self.result.words.at(at) {
            self.result.roles[word.idx()] = WordRole::Definition(def);
        }
        def
    }

    fn define_named(&mut self, kind: DefKind, ident: &Ident, whole: Place) -> (DefId, NameId) {
        let name = self.intern(ident);
        let def = self.define_at(kind, self.position(ident), name, whole);
        (def, name)
    }

    /// Makes a definition visible in all of a scope.
    fn add_item(&mut self, scope: ScopeId, name: NameId, def: DefId) {
        let items = &mut self.result.scopes[scope.idx()].items;
        items.entry(name).or_default().push(def);
    }

    /// Makes a definition visible in a part of the scope that is being read.
    fn add_local(&mut self, name: NameId, visible: Range<usize>, def: DefId) {
        let locals = &mut self.result.scopes[self.scope.idx()].locals;
        locals.entry(name).or_default().push((visible, def));
    }

    /// Adds an item of the module or block that is being read.
    fn define_item(&mut self, kind: DefKind, ident: &Ident, whole: Place) -> DefId {
        let (def, name) = self.define_named(kind, ident, whole);
        self.add_item(self.scope, name, def);
        def
    }

    /// Adds a variant, a field, or a member of a trait or an impl.
    fn define_member(&mut self, kind: DefKind, ident: &Ident, whole: Place, of: DefId) -> DefId {
        let (def, name) = self.define_named(kind, ident, whole);
        self.result.definitions[def.idx()].parent = Some(of);
        let members = self.result.members.entry(of).or_default();
        members.entry(name).or_default().push(def);
        def
    }

    /// Adds a variable or a parameter.
    fn define_local(&mut self, kind: DefKind, ident: &Ident, visible: Range<usize>) -> DefId {
        let whole = self.place(ident);
        let (def, name) = self.define_named(kind, ident, whole);
        self.add_local(name, visible, def);
        def
    }

    /// Adds a lifetime parameter or a label.
    fn define_lifetime(&mut self, kind: DefKind, lifetime: &syn::Lifetime, visible: Range<usize>) {
        let place = self.place_of(lifetime.apostrophe);
        let at = Position::new(self.file, place.range.start);
        let name = self.result.words.intern(&lifetime.to_string());
        let def = self.define_at(kind, at, name, self.place(lifetime));
        self.add_local(name, visible, def);
    }

    /// Adds generic parameters, which are visible in all of the scope that is being read.
    fn define_parameters<'p>(&mut self, parameters: impl IntoIterator<Item = &'p GenericParam>) {
        let visible = self.scope_range();
        for parameter in parameters {
            let visible = visible.clone();
            let def = match parameter {
                GenericParam::Lifetime(one) => {
                    self.define_lifetime(DefKind::Lifetime, &one.lifetime, visible);
                    continue;
                }
                GenericParam::Type(one) => {
                    self.define_local(DefKind::TypeParameter, &one.ident, visible)
                }
                GenericParam::Const(one) => {
                    self.define_local(DefKind::ConstParameter, &one.ident, visible)
                }
            };
            if let Some(owner) = self.owner {
                self.result.parameters.entry(owner).or_default().push(def);
            }
        }
    }

    fn new_scope(&mut self, kind: ScopeKind, place: Place, parent: Option<ScopeId>) -> ScopeId {
        let scope = ScopeId::new(self.result.scopes.len());
        self.result.scopes.push(Scope {
            kind,
            place,
            parent,
            items: HashMap::new(),
            locals: HashMap::new(),
            imports: HashMap::new(),
            globs: Vec::new(),
            has_unseen: false,
        });
        scope
    }

    /// Reads a part of the syntax in a scope of its own.
    fn in_scope(&mut self, kind: ScopeKind, range: Range<usize>, read: impl FnOnce(&mut Self)) {
        let scope = self.new_scope(kind, Place::new(self.file, range), Some(self.scope));
        let outer = std::mem::replace(&mut self.scope, scope);
        read(self);
        self.scope = outer;
    }

    /// Reads the contents of a definition, which is the parent of all that is defined there.
    fn inside(&mut self, owner: DefId, read: impl FnOnce(&mut Self)) {
        let outer = self.owner.replace(owner);
        read(self);
        self.owner = outer;
    }

    /// Reads a part of the syntax; all that is read is marked as a guess if `is_guess` says so.
    fn guessing(&mut self, is_guess: bool, read: impl FnOnce(&mut Self)) {
        let outer = self.is_guess;
        self.is_guess |= is_guess;
        read(self);
        self.is_guess = outer;
    }

    fn scope_range(&self) -> Range<usize> {
        self.result.scopes[self.scope.idx()].place.range.clone()
    }

    /// Adds a path of these words. A word that the lexers do not agree on ends it.
    fn push_path<'i>(
        &mut self,
        segments: impl IntoIterator<Item = &'i Ident>,
        namespace: Option<Namespace>,
        start: PathStart,
    ) -> PathId {
        let words = segments.into_iter().map_while(|ident| self.word(ident));
        let words = words.collect();
        self.push_words(words, namespace, start)
    }

    fn push_words(
        &mut self,
        words: Vec<WordId>,
        namespace: Option<Namespace>,
        start: PathStart,
    ) -> PathId {
        poll_interruption();
        let path = PathId::new(self.result.paths.len());
        for (idx, word) in words.iter().enumerate() {
            self.result.roles[word.idx()] = WordRole::Segment(path, idx);
        }
        self.result.paths.push(PathSite {
            words,
            scope: self.scope,
            namespace,
            start,
            is_guess: self.is_guess,
        });
        path
    }

    /// Reads text without a syntax tree: what follows `fn`, `struct` and the like may be defined
    /// there.
    fn loose_text(&mut self, range: &Range<usize>) {
        for word in self.result.words.within(self.file, range) {
            let &Word { at, name, hint, .. } = self.result.words.get(word);
            if hint == Hint::Definition {
                self.guessing(true, |inside| {
                    let place = Place::new(inside.file, at..at);
                    let def = inside.define_at(DefKind::TupleStruct, place.start(), name, place);
                    inside.add_item(inside.scope, name, def);
                });
            }
        }
        self.result.scopes[self.scope.idx()].has_unseen = true;
    }

    /// Reads the crate's root, or a file to which no `mod x;` leads.
    fn root_file(&mut self, file: FileId) {
        let len = self.sources.text(file).len();
        self.file = file;
        self.owner = None;
        let module = self.define_unseen(
            DefKind::Module,
            Position::new(file, 0),
            Place::new(file, 0..len),
        );
        let scope = self.new_scope(ScopeKind::Module(module), Place::new(file, 0..len), None);
        self.result.definitions[module.idx()].inside = Some(scope);
        self.directory = ModuleDirectory::of_file(self.sources.path(file), true, false);
        self.scope = scope;
        self.result.scopes[scope.idx()].has_unseen = file != self.sources.root();
        self.inside(module, |inside| inside.file_contents(file));
    }

    fn is_reached(&self, file: FileId) -> bool {
        self.result
            .files
            .iter()
            .any(|(reached, _)| *reached == file)
    }

    /// Reads the items of a file into the scope of its module, which exists already.
    fn file_contents(&mut self, file: FileId) {
        if let Some(module) = self.owner {
            self.result.files.push((file, module));
        }
        let outer = std::mem::replace(&mut self.file, file);
        match self.parsed.get(&file).and_then(Parsed::file) {
            Some(syntax) => syntax.items.iter().for_each(|item| self.item(item)),
            None => self.loose_text(&(0..self.sources.text(file).len())),
        }
        self.file = outer;
    }
}
