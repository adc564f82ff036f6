//! Reads what a crate defines, where that is visible, and which paths it has. Nothing is resolved yet.

mod arguments;
mod items;
mod patterns;
mod receivers;
mod visit;

use crate::definitions::{DefKind, Definition, Namespace};
use crate::ids::{DefId, NameId, PathId, Place, Position, ScopeId, WordId};
use crate::names::{Hint, Words};
use crate::scopes::{Import, PathSite, PathStart, Scope, ScopeKind, WordRole};
use crate::shapes::{Shape, TypeShape};
use proc_macro2::Span;
use reduce_syntax::{FileId, ModuleDirectory, Parsed, ParsedFiles, SourceTree};
use std::collections::HashMap;
use std::ops::Range;
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// All that is read of a crate.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) words: Words,
    /// The files in the order in which they were reached, each with the module that it is.
    pub(crate) files: Vec<(FileId, DefId)>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) imports: Vec<Import>,
    pub(crate) paths: Vec<PathSite>,
    /// For each word.
    pub(crate) roles: Vec<WordRole>,
    /// The variants of enums, the fields of structs and variants, the members of traits and impls.
    pub(crate) members: HashMap<DefId, HashMap<NameId, Vec<DefId>>>,
    pub(crate) impls: Vec<DefId>,
    /// All definitions by their spelling.
    named: HashMap<NameId, Vec<DefId>>,
    /// Whether macros may have made items that were not read.
    pub(crate) has_unseen: bool,
    /// The definitions of the names that macros may see anywhere: `macro_rules!`.
    pub(crate) macros: HashMap<NameId, Vec<DefId>>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) types: Vec<TypeShape>,
    /// For each call, the name of what is called.
    pub(crate) calls: Vec<WordId>,
    /// Variables that are none if their name is that of a constant, a variant or a unit struct.
    pub(crate) may_be_constants: HashMap<DefId, PathId>,
}

impl Collected {
    /// Reads a crate. `parsed` has all its files.
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

    pub(crate) fn definition(&self, def: DefId) -> &Definition {
        &self.definitions[def.idx()]
    }

    pub(crate) fn scope(&self, scope: ScopeId) -> &Scope {
        &self.scopes[scope.idx()]
    }

    pub(crate) fn path(&self, path: PathId) -> &PathSite {
        &self.paths[path.idx()]
    }

    /// All definitions with a name.
    pub(crate) fn named(&self, name: NameId) -> impl Iterator<Item = (DefId, &Definition)> {
        let all = self.named.get(&name).into_iter().flatten();
        all.map(|&def| (def, self.definition(def)))
    }

    /// Notes what is asked of all definitions together.
    fn index(&mut self) {
        for (idx, definition) in self.definitions.iter().enumerate() {
            if let Some(name) = definition.spelling {
                self.named.entry(name).or_default().push(DefId::new(idx));
            }
        }
        let is_module = |scope: &Scope| matches!(scope.kind, ScopeKind::Module(_));
        let mut scopes = self.scopes.iter();
        self.has_unseen = scopes.any(|scope| scope.has_unseen && is_module(scope));
    }

    /// The members of a definition with this name.
    pub(crate) fn members(&self, of: DefId, name: NameId) -> &[DefId] {
        let members = self.members.get(&of).and_then(|all| all.get(&name));
        members.map_or(&[], Vec::as_slice)
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
    /// Whether it is the argument of a macro that may mean anything.
    is_guess: bool,
    /// Where the variables of the pattern are visible that is being read.
    visible: Range<usize>,
    /// Where the variables of an `if let` end to be visible.
    until: usize,
    /// The variables of the pattern so far: those of `A(x) | B(x)` are the same.
    bound: HashMap<NameId, DefId>,
}

impl<'c> Collector<'c> {
    fn place_of(&self, span: Span) -> Place {
        Place::new(self.file, span.byte_range())
    }

    fn range(&self, syntax: &impl Spanned) -> Range<usize> {
        self.place_of(syntax.span()).range
    }

    fn place(&self, syntax: &impl Spanned) -> Place {
        self.place_of(syntax.span())
    }

    /// What stands between two braces.
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

    /// A definition that is visible nowhere by itself.
    fn define_unseen(&mut self, kind: DefKind, name: Position, whole: Place) -> DefId {
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
            value: None,
        });
        def
    }

    fn define_named(&mut self, kind: DefKind, ident: &Ident, whole: Place) -> (DefId, NameId) {
        let def = self.define_unseen(kind, self.position(ident), whole);
        let name = self.intern(ident);
        self.result.definitions[def.idx()].spelling = Some(name);
        self.set_role(ident, WordRole::Definition(def));
        (def, name)
    }

    /// An item of the module or block that is being read.
    fn define_item(&mut self, kind: DefKind, ident: &Ident, whole: Place) -> DefId {
        let (def, name) = self.define_named(kind, ident, whole);
        let scope = &mut self.result.scopes[self.scope.idx()];
        scope.items.entry(name).or_default().push(def);
        def
    }

    /// A variant, a field, or a member of a trait or an impl.
    fn define_member(&mut self, kind: DefKind, ident: &Ident, whole: Place, of: DefId) -> DefId {
        let (def, name) = self.define_named(kind, ident, whole);
        self.result.definitions[def.idx()].parent = Some(of);
        let members = self.result.members.entry(of).or_default();
        members.entry(name).or_default().push(def);
        def
    }

    /// A variable or a parameter.
    fn define_local(&mut self, kind: DefKind, ident: &Ident, visible: Range<usize>) -> DefId {
        let whole = self.place(ident);
        let (def, name) = self.define_named(kind, ident, whole);
        let scope = &mut self.result.scopes[self.scope.idx()];
        scope.locals.entry(name).or_default().push((visible, def));
        def
    }

    /// A lifetime parameter or a label.
    fn define_lifetime(&mut self, kind: DefKind, lifetime: &syn::Lifetime, visible: Range<usize>) {
        let place = self.place_of(lifetime.apostrophe);
        let at = Position::new(self.file, place.range.start);
        let def = self.define_unseen(kind, at, self.place(lifetime));
        let name = self.result.words.intern(&lifetime.to_string());
        self.result.definitions[def.idx()].spelling = Some(name);
        if let Some(word) = self.result.words.at(at) {
            self.result.roles[word.idx()] = WordRole::Definition(def);
        }
        let scope = &mut self.result.scopes[self.scope.idx()];
        scope.locals.entry(name).or_default().push((visible, def));
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

    /// Reads something in a scope of its own.
    fn in_scope(&mut self, kind: ScopeKind, range: Range<usize>, read: impl FnOnce(&mut Self)) {
        let scope = self.new_scope(kind, Place::new(self.file, range), Some(self.scope));
        let outer = std::mem::replace(&mut self.scope, scope);
        read(self);
        self.scope = outer;
    }

    /// Reads what is inside of a definition.
    fn inside(&mut self, owner: DefId, read: impl FnOnce(&mut Self)) {
        let outer = self.owner.replace(owner);
        read(self);
        self.owner = outer;
    }

    /// Reads something whose meaning is a guess, or is not.
    fn guessing(&mut self, is_guess: bool, read: impl FnOnce(&mut Self)) {
        let outer = self.is_guess;
        self.is_guess |= is_guess;
        read(self);
        self.is_guess = outer;
    }

    fn scope_range(&self) -> Range<usize> {
        self.result.scopes[self.scope.idx()].place.range.clone()
    }

    /// Notes a path of these words. A word that the lexers do not agree on ends it.
    fn push_path<'i>(
        &mut self,
        segments: impl IntoIterator<Item = &'i Ident>,
        namespace: Option<Namespace>,
        start: PathStart,
    ) -> PathId {
        let path = PathId::new(self.result.paths.len());
        let words = segments.into_iter().map_while(|ident| self.word(ident));
        let words: Vec<WordId> = words.collect();
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

    /// Text without a syntax tree: what follows `fn`, `struct` and the like may be defined there.
    fn loose_text(&mut self, range: &Range<usize>) {
        for word in self.result.words.within(self.file, range) {
            let &crate::names::Word { at, name, hint, .. } = self.result.words.get(word);
            if hint == Hint::Definition {
                self.guessing(true, |inside| {
                    let place = Place::new(inside.file, at..at);
                    let def = inside.define_unseen(
                        DefKind::TupleStruct,
                        Position::new(inside.file, at),
                        place,
                    );
                    inside.result.definitions[def.idx()].spelling = Some(name);
                    inside.result.roles[word.idx()] = WordRole::Definition(def);
                    let scope = &mut inside.result.scopes[inside.scope.idx()];
                    scope.items.entry(name).or_default().push(def);
                });
            }
        }
        self.result.scopes[self.scope.idx()].has_unseen = true;
    }

    /// The crate's root, or a file to which no `mod x;` leads.
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

    /// The items of a file, into the module scope that is there already.
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
