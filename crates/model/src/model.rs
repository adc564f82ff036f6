//! What the names of one state of a crate mean, each with how certain that is.
//!
//! All words count, those in the arguments and bodies of macros too; syntax says in which scopes they
//! stand. Whoever asks sets his own threshold: a slice takes whatever may be meant, a check for lost
//! names only what is certain.

use crate::collect::Collected;
use crate::definitions::{DefKind, Definition, Namespace};
use crate::functions::{Family, families};
use crate::ids::{CallId, DefId, NameId, PathId, Place, Position, ScopeId, ShapeId, WordId};
use crate::names::Hint;
use crate::nesting::Nesting;
use crate::relations::{Reference, references};
use crate::resolve::{Meaning, Names, Resolver};
use crate::scopes::{PathStart, WordRole};
use crate::shapes::Shape;
use crate::slice::Outline;
use reduce_syntax::{ParsedFiles, SourceTree, SyntaxTree, build_tree_of, parse_files};
use std::cell::OnceCell;
use std::rc::Rc;

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// This definition of the crate.
    Certain(DefId),
    /// One of these, or something else: a type is not known, or a macro may have changed it.
    Maybe(Vec<DefId>),
    /// Something of another crate or of the language.
    Outside,
    /// Nobody knows.
    Unknown,
}

impl Resolution {
    /// All definitions of the crate that may be meant.
    #[must_use]
    pub fn candidates(&self) -> &[DefId] {
        match self {
            Self::Certain(def) => std::slice::from_ref(def),
            Self::Maybe(defs) => defs,
            Self::Outside | Self::Unknown => &[],
        }
    }

    /// The definition that is meant if one of the crate is, where that is known.
    #[must_use]
    pub fn only(&self) -> Option<DefId> {
        match self {
            Self::Certain(def) => Some(*def),
            Self::Maybe(defs) => defs.first().copied().filter(|_| defs.len() == 1),
            Self::Outside | Self::Unknown => None,
        }
    }
}

/// One state of a crate, read and resolved.
pub struct Model {
    sources: SourceTree,
    parsed: Rc<ParsedFiles>,
    tree: OnceCell<SyntaxTree>,
    /// Read when it is first asked for.
    names: OnceCell<NamesOfCrate>,
    /// Which words mean which definitions, as good as certainly.
    references: OnceCell<Vec<Reference>>,
    outline: OnceCell<Outline>,
    families: OnceCell<Vec<Family>>,
}

/// The names of a crate, read.
#[derive(Debug)]
struct NamesOfCrate {
    collected: Collected,
    resolver: Resolver,
    /// The scopes around each place.
    scopes: Nesting,
}

impl Model {
    /// Parses a crate.
    #[must_use]
    pub fn new(sources: &SourceTree) -> Self {
        Self::of(sources, Rc::new(parse_files(sources)))
    }

    /// A crate that is parsed.
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

    /// What is read of the crate, before anything is resolved.
    pub(crate) fn collected(&self) -> &Collected {
        &self.read().collected
    }

    /// All references of the crate, in the order of the mentions.
    pub(crate) fn references(&self) -> &[Reference] {
        self.references.get_or_init(|| references(self))
    }

    /// What may go from the crate, with the names that reach it.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(self))
    }

    /// The lists and nodes of the crate.
    #[must_use]
    pub fn tree(&self) -> &SyntaxTree {
        self.tree
            .get_or_init(|| build_tree_of(&self.sources, &self.parsed))
    }

    /// The files, parsed.
    #[must_use]
    pub fn parsed(&self) -> &ParsedFiles {
        &self.parsed
    }

    /// The sources.
    #[must_use]
    pub fn sources(&self) -> &SourceTree {
        &self.sources
    }

    /// All words: identifiers, those that begin paths such as `self` too, and lifetimes. Those in
    /// attributes are left out.
    pub fn words(&self) -> impl Iterator<Item = WordId> + use<> {
        self.collected().words.ids()
    }

    /// The word that begins at a place.
    #[must_use]
    pub fn word_at(&self, position: Position) -> Option<WordId> {
        self.collected().words.at(position)
    }

    /// Where a word stands.
    #[must_use]
    pub fn position(&self, word: WordId) -> Position {
        let word = self.collected().words.get(word);
        Position::new(word.file, word.at)
    }

    /// The spelling of a word, without `r#`.
    #[must_use]
    pub fn text(&self, word: WordId) -> &str {
        self.collected()
            .words
            .text(self.collected().words.get(word).name)
    }

    /// Whether it stands in a format string.
    #[must_use]
    pub fn is_captured(&self, word: WordId) -> bool {
        self.hint(word) == Hint::Captured
    }

    /// All definitions.
    pub fn definitions(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        let all = self.collected().definitions.iter().enumerate();
        all.map(|(idx, definition)| (DefId::new(idx), definition))
    }

    /// A definition.
    #[must_use]
    pub fn definition(&self, def: DefId) -> &Definition {
        self.collected().definition(def)
    }

    /// The definition whose name a word is.
    #[must_use]
    pub fn defined_by(&self, word: WordId) -> Option<DefId> {
        match self.collected().roles[word.idx()] {
            WordRole::Definition(def) | WordRole::ShorthandPattern(_, def) => Some(def),
            WordRole::Pattern(_, def) => self.names().constant(def).is_none().then_some(def),
            _ => None,
        }
    }

    /// What a word means. The name of a definition means that definition; an import what it brings. A
    /// shorthand field means the variable; [`Model::field`] has the other meaning.
    #[must_use]
    pub fn resolve(&self, word: WordId) -> Resolution {
        let names = self.names();
        match self.collected().roles[word.idx()] {
            WordRole::Definition(def) | WordRole::ShorthandPattern(_, def) => self.certainly(def),
            WordRole::Segment(path, idx) => {
                let is_guess = self.collected().path(path).is_guess;
                self.resolution(names.segment(path, idx), is_guess)
            }
            WordRole::ShorthandField(_, variable) => {
                let is_guess = self.collected().path(variable).is_guess;
                self.resolution(names.path(variable), is_guess)
            }
            WordRole::ImportName(import) => {
                let path = self.collected().imports[import.idx()].path;
                self.resolution(names.path(path), false)
            }
            WordRole::Field(of) => self.field_of(of, word),
            WordRole::AssociatedType(of) => self.resolution(self.associated(of, word), false),
            WordRole::Member(receiver) => self.member_of(receiver, word),
            WordRole::Pattern(path, def) => match self.names().constant(def) {
                Some(meaning) => self.resolution(meaning, self.collected().path(path).is_guess),
                None => self.certainly(def),
            },
            WordRole::Loose => self.loose(word),
        }
    }

    /// The field that a word in a struct expression or pattern means.
    #[must_use]
    pub fn field(&self, word: WordId) -> Resolution {
        match self.collected().roles[word.idx()] {
            WordRole::ShorthandField(of, _)
            | WordRole::ShorthandPattern(of, _)
            | WordRole::Field(of) => self.field_of(of, word),
            _ => Resolution::Unknown,
        }
    }

    /// The spelling of a definition's name, without `r#`. An impl and the crate's root have none.
    #[must_use]
    pub fn name(&self, def: DefId) -> Option<&str> {
        let name = self.definition(def).spelling?;
        Some(self.collected().words.text(name))
    }

    /// The number of a spelling, if it is that of a word.
    pub(crate) fn name_of(&self, text: &str) -> Option<NameId> {
        self.collected().words.name(text)
    }

    /// The spelling with a number.
    pub(crate) fn spelling(&self, name: NameId) -> &str {
        self.collected().words.text(name)
    }

    /// Whether it is a member of an impl of a trait.
    pub(crate) fn is_member_of_trait_impl(&self, def: DefId) -> bool {
        let parent = self.definition(def).parent.map(|one| self.definition(one));
        parent.is_some_and(|one| one.kind == DefKind::Impl && !one.bounds.is_empty())
    }

    /// What the module, type, trait, impl or function is that a definition is a part of.
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

    /// Where the leaf of the use declaration stands that makes the first name of a path visible.
    pub(crate) fn importing(&self, path: PathId) -> Option<Position> {
        self.names().importing(path)
    }

    /// The member of a trait of the crate that a member of an impl stands for.
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

    /// The functions of the crate by their signatures, with their calls, in order of the source.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        self.families.get_or_init(|| families(self))
    }

    /// All calls by the names of what they call.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (WordId, CallId)> {
        let callees = self.collected().calls.iter().enumerate();
        callees.map(|(idx, &callee)| (callee, CallId::new(idx)))
    }

    /// The name of what is called.
    #[must_use]
    pub fn callee(&self, call: CallId) -> WordId {
        self.collected().calls[call.idx()]
    }

    /// Whether it is a function, or a variable that is a closure.
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

    fn certainly(&self, def: DefId) -> Resolution {
        match self.definition(def).is_certain {
            true => Resolution::Certain(def),
            false => Resolution::Maybe(vec![def]),
        }
    }

    pub(crate) fn resolution(&self, meaning: Meaning, is_guess: bool) -> Resolution {
        let Meaning {
            definitions,
            outside,
            unseen,
        } = meaning;
        let found: Vec<DefId> = definitions.into_iter().collect();
        let is_open = outside || unseen || is_guess;
        match found[..] {
            [] if outside && !unseen && !is_guess => Resolution::Outside,
            [] => Resolution::Unknown,
            [def] if !is_open && self.definition(def).kind == DefKind::ExternCrate => {
                Resolution::Outside
            }
            [def] if !is_open => self.certainly(def),
            _ => Resolution::Maybe(found),
        }
    }

    /// The fields of the struct or variant at the end of a path.
    fn field_of(&self, path: PathId, word: WordId) -> Resolution {
        let name = self.collected().words.get(word).name;
        let names = self.names();
        let of = names.path(path);
        let mut meaning = Meaning {
            outside: of.outside,
            unseen: of.unseen,
            ..Meaning::default()
        };
        let mut owners: Vec<DefId> = of.definitions.into_iter().collect();
        while let Some(owner) = owners.pop() {
            match self.definition(owner).kind {
                DefKind::Impl | DefKind::TypeAlias => {
                    let subject = names.subject(owner);
                    meaning.outside |= subject.outside;
                    owners.extend(subject.definitions.into_iter().filter(|&one| one != owner));
                }
                _ => meaning
                    .definitions
                    .extend(self.collected().members(owner, name)),
            }
        }
        self.resolution(meaning, self.collected().path(path).is_guess)
    }

    /// `Trait<Name = T>`
    fn associated(&self, of: PathId, word: WordId) -> Meaning {
        let name = self.collected().words.get(word).name;
        self.names().member_of_path(of, name, Namespace::Type)
    }

    /// `x.name`, whose type is perhaps known.
    fn member_of(&self, receiver: ShapeId, word: WordId) -> Resolution {
        let name = self.collected().words.get(word).name;
        let names = self.names();
        let typed = names.type_of(receiver);
        let meaning = match self.hint(word) {
            Hint::Field => match names.field_of_type(&typed, name) {
                Some((field, _)) => return self.certainly(field),
                None if typed.is_outside() => return Resolution::Outside,
                None => return self.member(word),
            },
            _ => names.method_of(receiver, &typed, name),
        };
        match meaning.definitions.is_empty() && !meaning.outside {
            true => self.member(word),
            false => self.resolution(meaning, false),
        }
    }

    /// `x.name`, whose type nobody knows.
    fn member(&self, word: WordId) -> Resolution {
        let of_field = self.collected().words.get(word).hint == Hint::Field;
        let name = self.collected().words.get(word).name;
        let is_meant = |definition: &Definition| {
            match of_field {
                // The fields of a variant are named in patterns only.
                true => {
                    let parent = self.collected().kind_of_parent(definition);
                    definition.kind == DefKind::Field && parent != Some(DefKind::Variant)
                }
                false => self.is_method(definition),
            }
        };
        let all = self.collected().named(name);
        let all = all
            .filter(|(_, definition)| is_meant(definition))
            .map(|(def, _)| def);
        // A member of a trait stands for all impls of it.
        let mut found: Vec<DefId> = all
            .filter(|&def| self.implemented_member(def).is_none())
            .collect();
        found.sort_unstable();
        match found.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Maybe(found),
        }
    }

    fn is_method(&self, definition: &Definition) -> bool {
        let parent = self.collected().kind_of_parent(definition);
        definition.kind == DefKind::Function
            && matches!(parent, Some(DefKind::Trait | DefKind::Impl))
    }

    /// A word without syntax, such as one in the body of a macro: whatever has the name there.
    fn loose(&self, word: WordId) -> Resolution {
        let one = *self.collected().words.get(word);
        let Some(scope) = self.scope_at(Position::new(one.file, one.at)) else {
            return Resolution::Unknown;
        };
        let visible = |namespace| {
            self.names()
                .visible_at(scope, one.name, one.at, Some(namespace))
        };
        match one.hint {
            Hint::Silent => Resolution::Unknown,
            Hint::Captured => match self.resolution(visible(Namespace::Value), false) {
                Resolution::Outside => Resolution::Unknown,
                found => found,
            },
            Hint::Field | Hint::Method => self.member(word),
            Hint::MacroCall => self.resolution(visible(Namespace::Macro), true),
            Hint::After(_) => self.resolution(self.names().any_of_name(one.name), true),
            Hint::Plain | Hint::Definition | Hint::Binding => {
                let mut meaning = visible(Namespace::Value);
                meaning
                    .definitions
                    .extend(visible(Namespace::Type).definitions);
                self.resolution(meaning, true)
            }
        }
    }

    /// The innermost scope around a place.
    pub(crate) fn scope_at(&self, at: Position) -> Option<ScopeId> {
        self.read().scopes.around(at).next().map(ScopeId::new)
    }

    /// The text at a place.
    #[must_use]
    pub fn text_at(&self, Place { file, range }: &Place) -> &str {
        &self.sources.text(*file)[range.clone()]
    }
}

#[cfg(test)]
mod tests;
