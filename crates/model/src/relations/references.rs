//! Which mention means which definition.
//!
//! Variables, items of blocks and imports are resolved by where they are visible. All else is
//! resolved by its spelling, and only if the crate defines the name once: a wrong guess would make
//! too much go along with a definition.

use super::nesting::Nesting;
use super::sites::{Binding, BindingKind, Global, GlobalKind, Sites, Special};
use super::words::{Context, Name, Names, Word, is_own_path, words};
use crate::ids::Position;
use crate::std_names::{is_common_member, is_in_prelude};
use reduce_syntax::{FileId, Parsed, SourceTree};

/// A mention and the definition that it means, each by where its name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) mention: Position,
    pub(super) definition: Position,
}

/// Reads the files of a crate, then resolves what they mention.
#[derive(Debug)]
pub(super) struct Reading<'s> {
    sources: &'s SourceTree,
    pub(super) names: Names<'s>,
    pub(super) files: Vec<File>,
}

#[derive(Debug)]
pub(super) struct File {
    pub(super) id: FileId,
    pub(super) words: Vec<Word>,
    sites: Sites,
}

impl<'s> Reading<'s> {
    pub(super) fn new(sources: &'s SourceTree) -> Self {
        Self {
            sources,
            names: Names::default(),
            files: Vec::new(),
        }
    }

    /// Adds a file.
    pub(super) fn add(&mut self, id: FileId, parsed: &Parsed) {
        let text = self.sources.text(id);
        let words = words(text, &mut self.names);
        let mut sites = Sites::of(parsed, text, &words);
        sites.special.sort_by_key(|(at, _)| *at);
        self.files.push(File { id, words, sites });
    }

    /// Resolves all mentions.
    pub(super) fn references(&self) -> Vec<Reference> {
        let crate_wide = CrateWide::new(&self.names, &self.files);
        let resolve = |file| Resolution::new(&self.names, &crate_wide, file).all();
        self.files.iter().flat_map(resolve).collect()
    }
}

impl File {
    /// The word at a place. There is none where the lexers do not agree.
    fn word(&self, at: usize) -> Option<usize> {
        self.words.binary_search_by_key(&at, |word| word.at).ok()
    }
}

/// What the whole crate can see, by name.
struct CrateWide {
    /// Everything but fields.
    general: Vec<Definers>,
    /// Fields are mentioned in other ways than all else.
    fields: Vec<Definers>,
}

/// How many definitions a name has.
#[derive(Clone, Copy)]
enum Definers {
    None,
    One(Position, GlobalKind),
    Many,
}

impl CrateWide {
    fn new(names: &Names<'_>, files: &[File]) -> Self {
        let none = vec![Definers::None; names.len()];
        let (general, fields) = (none.clone(), none);
        let mut result = Self { general, fields };
        for file in files {
            for global in &file.sites.globals {
                let name = file.word(global.at).map(|idx| file.words[idx].name);
                if let Some(name) = name.filter(|&name| !is_in_prelude(names.text(name))) {
                    result.add(name, file.id, *global);
                }
            }
        }
        result
    }

    fn add(&mut self, name: Name, file: FileId, global: Global) {
        let definers = match global.kind {
            GlobalKind::Field => &mut self.fields[name],
            _ => &mut self.general[name],
        };
        *definers = match definers {
            Definers::None => Definers::One((file, global.at), global.kind),
            Definers::One(..) | Definers::Many => Definers::Many,
        };
    }

    fn is_defined(&self, name: Name) -> bool {
        !matches!(self.general[name], Definers::None)
    }
}

/// What a name means where it is mentioned without a path.
#[derive(Clone, Copy)]
enum Local<'f> {
    Bound(&'f Binding),
    /// Several imports or items have the name.
    Ambiguous,
    Unbound,
}

/// Resolves the mentions of one file.
struct Resolution<'r> {
    names: &'r Names<'r>,
    crate_wide: &'r CrateWide,
    file: &'r File,
    /// Where the bindings of the file are visible, by name.
    visible: Nesting<Name>,
    /// Bindings whose names are words, as indices of those of the file.
    bindings: Vec<&'r Binding>,
    modules: Nesting<()>,
    found: Vec<Reference>,
}

impl<'r> Resolution<'r> {
    fn new(names: &'r Names<'r>, crate_wide: &'r CrateWide, file: &'r File) -> Self {
        let named = |binding: &'r Binding| {
            let name = file.words[file.word(binding.name_at)?].name;
            Some((binding, (name, binding.visible.clone())))
        };
        let (bindings, ranges): (Vec<_>, Vec<_>) =
            file.sites.bindings.iter().filter_map(named).unzip();
        let modules = file.sites.modules.iter().map(|range| ((), range.clone()));
        Self {
            names,
            crate_wide,
            file,
            visible: Nesting::new(ranges),
            bindings,
            modules: Nesting::new(modules),
            found: Vec::new(),
        }
    }

    fn all(mut self) -> Vec<Reference> {
        let mut special = self.file.sites.special.as_slice();
        for idx in 0..self.file.words.len() {
            let at = self.file.words[idx].at;
            special = &special[special.partition_point(|(place, _)| *place < at)..];
            let n_here = special.partition_point(|(place, _)| *place <= at);
            if n_here == 0 {
                self.word(idx);
            }
            for (_, special) in &special[..n_here] {
                self.special(idx, *special);
            }
        }
        self.found
    }

    fn word(&mut self, idx: usize) {
        let name = self.file.words[idx].name;
        match self.file.words[idx].context {
            Context::Plain => self.plain(idx),
            Context::Field => self.field(idx),
            Context::Method if !self.is_common(name) => self.global(idx, GlobalKind::is_member),
            Context::Path(Some(head)) if self.is_ours(head) => self.path(idx, head),
            Context::Path(None) if !self.is_common(name) => {
                self.global(idx, GlobalKind::is_member);
            }
            _ => {}
        }
    }

    fn special(&mut self, idx: usize, special: Special) {
        match special {
            Special::Site => {}
            Special::Field => self.field(idx),
            Special::Shorthand => {
                self.field(idx);
                self.plain(idx);
            }
            Special::Import(head) => {
                if self.is_import_ours(head) {
                    self.global(idx, |_| true);
                }
            }
            Special::ImplMember(of_trait) => {
                let of_trait = self.file.word(of_trait);
                if of_trait.is_some_and(|word| self.is_defined(word)) {
                    self.global(idx, |kind| kind == GlobalKind::TraitMember);
                }
            }
        }
    }

    fn plain(&mut self, idx: usize) {
        let name = self.file.words[idx].name;
        match self.local(idx) {
            Local::Ambiguous => {}
            Local::Unbound if self.is_common(name) => self.global(idx, GlobalKind::is_no_member),
            Local::Unbound => self.global(idx, |_| true),
            Local::Bound(binding) => {
                self.add(idx, (self.file.id, binding.at));
                match binding.kind {
                    BindingKind::Import(head) if self.is_import_ours(head) => {
                        self.global(idx, |_| true);
                    }
                    _ => {}
                }
            }
        }
    }

    /// A path that does not begin with a type of ours may lead to a member of any type.
    fn path(&mut self, idx: usize, head: usize) {
        let is_of_our_type = self.is_defined(head);
        if is_of_our_type || !self.is_common(self.file.words[idx].name) {
            self.global(idx, |_| true);
        } else {
            self.global(idx, GlobalKind::is_no_member);
        }
    }

    fn field(&mut self, idx: usize) {
        let name = self.file.words[idx].name;
        if let Definers::One(definition, _) = self.crate_wide.fields[name]
            && !self.is_common(name)
        {
            self.add(idx, definition);
        }
    }

    /// A mention of what the crate defines once, if it is of the right kind.
    fn global(&mut self, idx: usize, is_wanted: impl Fn(GlobalKind) -> bool) {
        let name = self.file.words[idx].name;
        if let Definers::One(definition, kind) = self.crate_wide.general[name]
            && is_wanted(kind)
        {
            self.add(idx, definition);
        }
    }

    fn add(&mut self, idx: usize, definition: Position) {
        let mention = (self.file.id, self.file.words[idx].at);
        self.found.push(Reference {
            mention,
            definition,
        });
    }

    /// The binding that is visible where a word stands.
    fn local(&self, idx: usize) -> Local<'r> {
        let word = self.file.words[idx];
        let mut around = self.visible.around(word.name, word.at);
        let Some(nearest) = around.next().map(|idx| self.bindings[idx]) else {
            return Local::Unbound;
        };
        // What a module has is not visible in the modules in it.
        if self.module(nearest.at) != self.module(word.at) {
            return Local::Unbound;
        }
        let is_same = |idx: usize| self.bindings[idx].visible == nearest.visible;
        let is_ambiguous =
            nearest.kind != BindingKind::Variable && around.next().is_some_and(is_same);
        if is_ambiguous {
            Local::Ambiguous
        } else {
            Local::Bound(nearest)
        }
    }

    fn module(&self, at: usize) -> Option<usize> {
        self.modules.around((), at).next()
    }

    fn is_common(&self, name: Name) -> bool {
        is_common_member(self.names.text(name))
    }

    fn is_defined(&self, word: usize) -> bool {
        self.crate_wide.is_defined(self.file.words[word].name)
    }

    /// Whether a path that begins with this word may lead into this crate.
    fn is_ours(&self, head: usize) -> bool {
        let name = self.file.words[head].name;
        if is_own_path(self.names.text(name)) {
            return true;
        }
        match self.local(head) {
            Local::Bound(binding) => match binding.kind {
                BindingKind::Import(head) => self.is_import_ours(head),
                _ => true,
            },
            Local::Ambiguous => false,
            Local::Unbound => self.is_defined(head),
        }
    }

    /// Whether a use declaration that begins at this place may lead into this crate.
    fn is_import_ours(&self, head: Option<usize>) -> bool {
        let Some(head) = head.and_then(|at| self.file.word(at)) else {
            return false;
        };
        is_own_path(self.names.text(self.file.words[head].name)) || self.is_defined(head)
    }
}

impl GlobalKind {
    fn is_member(self) -> bool {
        matches!(self, Self::Member | Self::TraitMember)
    }

    fn is_no_member(self) -> bool {
        !self.is_member()
    }
}
