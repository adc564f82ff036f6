//! Where a file defines names, and from where to where each is visible.
//!
//! What a block, a pattern, a parameter list or an import names is visible in a range of its file: a
//! [`Binding`]. What a module, a type or a trait has is visible in the whole crate, for all that we
//! know: a [`Global`].

mod imports;
mod visit;

use super::words::{Follows, Word};
use reduce_syntax::{Parsed, ParsedSyntax};
use std::ops::Range;
use syn::visit::Visit;

/// What a file defines.
#[derive(Debug, Default)]
pub(super) struct Sites {
    pub(super) globals: Vec<Global>,
    pub(super) bindings: Vec<Binding>,
    /// What the words at some places are, where their neighbours do not tell.
    pub(super) special: Vec<(usize, Special)>,
    /// What stands between the braces of modules.
    pub(super) modules: Vec<Range<usize>>,
}

/// A definition that is visible in the whole crate. Its name is the word at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Global {
    pub(super) at: usize,
    pub(super) kind: GlobalKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobalKind {
    Item,
    Variant,
    Field,
    /// Of an inherent impl.
    Member,
    /// Of a trait's declaration.
    TraitMember,
}

/// A definition that is visible in a part of its file.
#[derive(Debug, Clone)]
pub(super) struct Binding {
    pub(super) at: usize,
    /// Where the word of its name stands: elsewhere for `use a::{self}`.
    pub(super) name_at: usize,
    pub(super) visible: Range<usize>,
    pub(super) kind: BindingKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BindingKind {
    /// A variable or a generic parameter.
    Variable,
    /// An item of a block.
    Item,
    /// An import by a path that begins at this place; `None` for `use ::a` and `extern crate`.
    Import(Option<usize>),
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// The name of a definition: no mention.
    Site,
    /// A field, as in `S { name: .. }`.
    Field,
    /// A field and a variable, as in `S { name }`.
    Shorthand,
    /// In a use declaration whose path begins at this place; `None` for `use ::a`.
    Import(Option<usize>),
    /// The name of a member of an impl of the trait that is mentioned at this place.
    ImplMember(usize),
}

impl Sites {
    /// Reads a file.
    pub(super) fn of(parsed: &Parsed, text: &str, words: &[Word]) -> Self {
        let mut reader = Reader::new(words, 0..text.len());
        match parsed.syntax() {
            Some(ParsedSyntax { file, offset }) => {
                reader.offset = offset;
                reader.visit_file(file);
            }
            None => reader.tokens(0..text.len()),
        }
        reader.sites
    }
}

/// Walks over a file.
struct Reader<'w> {
    words: &'w [Word],
    /// Bytes before the parsed text.
    offset: usize,
    sites: Sites,
    /// The innermost module or block.
    scope: Range<usize>,
    in_block: bool,
    /// Where generic parameters are visible.
    owner: Range<usize>,
    /// Where the variables of the pattern are visible.
    visible: Range<usize>,
    /// Where the variables of an `if let` end to be visible.
    until: usize,
    /// Where the trait is mentioned whose impl is visited.
    of_trait: Option<usize>,
}

impl<'w> Reader<'w> {
    fn new(words: &'w [Word], whole: Range<usize>) -> Self {
        Self {
            words,
            offset: 0,
            sites: Sites::default(),
            owner: whole.clone(),
            visible: whole.clone(),
            until: whole.end,
            scope: whole,
            in_block: false,
            of_trait: None,
        }
    }

    fn special(&mut self, at: usize, special: Special) {
        self.sites.special.push((at, special));
    }

    fn global(&mut self, at: usize, kind: GlobalKind) {
        self.special(at, Special::Site);
        self.sites.globals.push(Global { at, kind });
    }

    /// An item: of the block if there is one.
    fn item(&mut self, at: usize) {
        if self.in_block {
            self.special(at, Special::Site);
            self.bind(at, self.scope.clone(), BindingKind::Item);
        } else {
            self.global(at, GlobalKind::Item);
        }
    }

    fn variable(&mut self, at: usize, visible: Range<usize>) {
        self.special(at, Special::Site);
        self.bind(at, visible, BindingKind::Variable);
    }

    fn bind(&mut self, at: usize, visible: Range<usize>, kind: BindingKind) {
        self.sites.bindings.push(Binding {
            at,
            name_at: at,
            visible,
            kind,
        });
    }

    /// Text without a syntax tree: what follows `fn`, `struct`, `let` and the like is defined.
    fn tokens(&mut self, range: Range<usize>) {
        let below = |at: usize| self.words.partition_point(|word| word.at < at);
        for idx in below(range.start)..below(range.end) {
            let word = self.words[idx];
            match word.follows {
                Follows::Definition => self.global(word.at, GlobalKind::Item),
                Follows::Binding => self.variable(word.at, word.at..range.end),
                Follows::Other => {}
            }
        }
    }
}
