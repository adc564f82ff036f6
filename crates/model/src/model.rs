//! The model of one state of a crate: the meanings of its names, each with how certain it is.
//!
//! All words count, those in the arguments and bodies of macros too; syntax says in which scopes they
//! stand. Whoever asks sets his own threshold: a slice takes whatever may be meant, a check for lost
//! names only what is certain.

mod resolution;

pub use resolution::Resolution;

use crate::collect::Collected;
use crate::definitions::{DefKind, Definition};
use crate::family::Family;
use crate::ids::{CallId, DefId, NameId, PathId, Place, Position, ScopeId, ShapeId, WordId};
use crate::names::Hint;
use crate::nesting::Nesting;
use crate::outline::Outline;
use crate::reference::Reference;
use crate::resolve::{Names, Resolver};
use crate::scopes::{PathStart, WordRole};
use crate::shapes::Shape;
use reduce_syntax::{ParsedFiles, SourceTree, SyntaxTree, build_tree_of, parse_files};
use std::cell::OnceCell;
use std::rc::Rc;

/// The model of one state of a crate: its syntax, and the meanings of its names.
pub struct Model {
    sources: SourceTree,
    parsed: Rc<ParsedFiles>,
    tree: OnceCell<SyntaxTree>,
    /// The names of the crate, which are read when they are first asked for.
    names: OnceCell<NamesOfCrate>,
    /// The words that mean a definition, each with that definition, where it is as good as certain.
    pub(crate) references: OnceCell<Vec<Reference>>,
    pub(crate) outline: OnceCell<Outline>,
    pub(crate) families: OnceCell<Vec<Family>>,
}

/// The names of a crate, with the scopes around them.
#[derive(Debug)]
struct NamesOfCrate {
    collected: Collected,
    resolver: Resolver,
    /// The nesting of the scopes, to find those around a place.
    scopes: Nesting,
}

impl Model {
    /// Parses a crate and makes its model.
    #[must_use]
    pub fn new(sources: &SourceTree) -> Self {
        Self::of(sources, Rc::new(parse_files(sources)))
    }

    /// Makes the model of a crate that is parsed.
    #[must_use]
    pub fn of(sources: &SourceTree, parsed: Rc<ParsedFiles>) -> Self {
        Self {
            sources: sources.clone(),
            parsed,
            tree: OnceCell::new(),
            names: OnceCell::new(),
            references: OnceCell::new(),
            outline: OnceCell::new(),
            families: OnceCell::new(),
        }
    }

    fn read(&self) -> &NamesOfCrate {
        self.names.get_or_init(|| {
            let collected = Collected::new(&self.sources, &self.parsed);
            let scopes = collected.scopes.iter().map(|scope| scope.place.clone());
            NamesOfCrate {
                scopes: Nesting::new(scopes),
                resolver: Resolver::new(&collected),
                collected,
            }
        })
    }

    /// Returns the definitions, words, scopes and paths of the crate, before anything is resolved.
    pub(crate) fn collected(&self) -> &Collected {
        &self.read().collected
    }

    /// Returns the lists and nodes of the crate.
    #[must_use]
    pub fn tree(&self) -> &SyntaxTree {
        self.tree
            .get_or_init(|| build_tree_of(&self.sources, &self.parsed))
    }

    /// Returns the parsed files of the crate.
    #[must_use]
    pub fn parsed(&self) -> &ParsedFiles {
        &self.parsed
    }

    /// Returns the sources of the crate.
    #[must_use]
    pub fn sources(&self) -> &SourceTree {
        &self.sources
    }

    /// Returns all words: identifiers, those that begin paths such as `self` too, and lifetimes.
    /// Words in attributes are left out.
    pub fn words(&self) -> impl Iterator<Item = WordId> + use<> {
        self.collected().words.ids()
    }

    /// Returns the word that begins at a place.
    #[must_use]
    pub fn word_at(&self, position: Position) -> Option<WordId> {
        self.collected().words.at(position)
    }

    /// Returns the position of a word.
    #[must_use]
    pub fn position(&self, word: WordId) -> Position {
        let word = self.collected().words.get(word);
        Position::new(word.file, word.at)
    }

    /// Returns the spelling of a word, without `r#`.
    #[must_use]
    pub fn text(&self, word: WordId) -> &str {
        self.collected()
            .words
            .text(self.collected().words.get(word).name)
    }

    /// Returns whether a word stands in a format string.
    #[must_use]
    pub fn is_captured(&self, word: WordId) -> bool {
        self.hint(word) == Hint::Captured
    }

    /// Returns all definitions of the crate.
    pub fn definitions(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        let all = self.collected().definitions.iter().enumerate();
        all.map(|(idx, definition)| (DefId::new(idx), definition))
    }

    /// Returns the definition with a number.
    #[must_use]
    pub fn definition(&self, def: DefId) -> &Definition {
        self.collected().definition(def)
    }

    /// Returns the tuple struct of which `x.0` reads a field, as far as the type of `x` is known. `number` is where the `0`
    /// stands.
    #[must_use]
    pub fn struct_of_number(&self, number: Position) -> Option<DefId> {
        let (receiver, idx) = self.collected().numbered.get(&number)?;
        let names = self.names();
        let (of, _) = names.component_of_type(&names.type_of(*receiver), *idx)?;
        of
    }

    /// Returns the definition whose name a word is.
    #[must_use]
    pub fn defined_by(&self, word: WordId) -> Option<DefId> {
        match self.collected().roles[word.idx()] {
            WordRole::Definition(def) | WordRole::ShorthandPattern(_, def) => Some(def),
            WordRole::Pattern(_, def) => self.names().constant(def).is_none().then_some(def),
            _ => None,
        }
    }

    /// Returns the spelling of a definition's name, without `r#`. An impl and the crate's root have
    /// none.
    #[must_use]
    pub fn name(&self, def: DefId) -> Option<&str> {
        let name = self.definition(def).spelling?;
        Some(self.collected().words.text(name))
    }

    /// Returns the number of a spelling, if it is that of a word.
    pub(crate) fn name_of(&self, text: &str) -> Option<NameId> {
        self.collected().words.name(text)
    }

    /// Returns the spelling with a number.
    pub(crate) fn spelling(&self, name: NameId) -> &str {
        self.collected().words.text(name)
    }

    /// Returns whether a definition is a member of an impl of a trait.
    pub(crate) fn is_member_of_trait_impl(&self, def: DefId) -> bool {
        let parent = self.definition(def).parent.map(|one| self.definition(one));
        parent.is_some_and(|one| one.kind == DefKind::Impl && !one.bounds.is_empty())
    }

    /// Returns the kind of the module, type, trait, impl or function that a definition is a part of.
    pub(crate) fn kind_of_parent(&self, def: DefId) -> Option<DefKind> {
        self.collected().kind_of_parent(self.definition(def))
    }

    pub(crate) fn role(&self, word: WordId) -> WordRole {
        self.collected().roles[word.idx()]
    }

    pub(crate) fn hint(&self, word: WordId) -> Hint {
        self.collected().words.get(word).hint
    }

    pub(crate) fn starts(&self, path: PathId) -> PathStart {
        self.collected().path(path).start
    }

    /// Returns the position of the leaf of the use declaration that makes the first name of a path visible.
    pub(crate) fn importing(&self, path: PathId) -> Option<Position> {
        self.names().importing(path)
    }

    /// Returns the member of a trait of the crate that a member of an impl stands for.
    #[must_use]
    pub fn implemented_member(&self, def: DefId) -> Option<DefId> {
        let definition = self.definition(def);
        let block = self.definition(definition.parent?);
        let of_trait = *block
            .bounds
            .first()
            .filter(|_| block.kind == DefKind::Impl)?;
        let traits = self.names().path(of_trait).definitions;
        let members = traits.into_iter().flat_map(|of_trait| {
            let members = self.collected().members(of_trait, definition.spelling?);
            members.first().copied()
        });
        members.into_iter().next()
    }

    /// Returns all calls by name, each with the word that names the callee.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (WordId, CallId)> {
        let callees = self.collected().calls.iter().enumerate();
        callees.map(|(idx, &callee)| (callee, CallId::new(idx)))
    }

    /// Returns the name of the function, method or macro that a call means.
    #[must_use]
    pub fn callee(&self, call: CallId) -> WordId {
        self.collected().calls[call.idx()]
    }

    /// Returns whether a definition is a function, or a variable that is a closure.
    pub(crate) fn is_function(&self, definition: &Definition) -> bool {
        let is_closure = |value: ShapeId| {
            let shape = &self.collected().shapes[value.idx()];
            matches!(shape, Shape::Closure(_))
        };
        definition.kind == DefKind::Function || definition.value.is_some_and(is_closure)
    }

    pub(crate) fn names(&self) -> Names<'_> {
        Names {
            collected: self.collected(),
            resolver: &self.read().resolver,
        }
    }

    /// Returns the innermost scope around a place.
    pub(crate) fn scope_at(&self, at: Position) -> Option<ScopeId> {
        self.read().scopes.around(at).next().map(ScopeId::new)
    }

    /// Returns the text at a place.
    #[must_use]
    pub fn text_at(&self, Place { file, range }: &Place) -> &str {
        &self.sources.text(*file)[range.clone()]
    }
}

#[cfg(test)]
mod tests;
