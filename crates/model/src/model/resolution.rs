//! Resolves a word by its role in the syntax, and says how certain the answer is.

use crate::definitions::{DefKind, Definition, Namespace};
use crate::ids::{DefId, NameId, PathId, Position, ShapeId, WordId};
use crate::model::Model;
use crate::names::Hint;
use crate::resolve::Meaning;
use crate::scopes::WordRole;
use std::rc::Rc;

/// The meaning of a name, with how certain it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// The name certainly means this definition of the crate.
    Certain(DefId),
    /// The name means one of these definitions, or something else: a type is not known, or a macro
    /// may have changed it.
    Maybe(Vec<DefId>),
    /// The name means something of another crate or of the language.
    Outside,
    /// The meaning of the name is not known.
    Unknown,
}

impl Resolution {
    /// Returns all definitions of the crate that may be meant.
    #[must_use]
    pub fn candidates(&self) -> &[DefId] {
        match self {
            Self::Certain(def) => std::slice::from_ref(def),
            Self::Maybe(defs) => defs,
            Self::Outside | Self::Unknown => &[],
        }
    }

    /// Returns the only definition of the crate that may be meant.
    #[must_use]
    pub fn only(&self) -> Option<DefId> {
        match self {
            Self::Certain(def) => Some(*def),
            Self::Maybe(defs) => defs.first().copied().filter(|_| defs.len() == 1),
            Self::Outside | Self::Unknown => None,
        }
    }
}

impl Model {
    /// Resolves a word to its meaning. The name of a definition means that definition; an import what
    /// it brings. A shorthand field means the variable; [`Model::field`] has the other meaning.
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

    /// Resolves the word that begins at a position; returns [`Resolution::Unknown`] where none does.
    #[must_use]
    pub fn resolve_at(&self, position: Position) -> Resolution {
        let word = self.word_at(position);
        word.map_or(Resolution::Unknown, |word| self.resolve(word))
    }

    /// Returns the field that a word in a struct expression or pattern means.
    #[must_use]
    pub fn field(&self, word: WordId) -> Resolution {
        match self.collected().roles[word.idx()] {
            WordRole::ShorthandField(of, _)
            | WordRole::ShorthandPattern(of, _)
            | WordRole::Field(of) => self.field_of(of, word),
            _ => Resolution::Unknown,
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

    /// Finds the fields of the struct or variant at the end of a path.
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

    /// Finds the member that `Name` means in `Trait<Name = T>`.
    fn associated(&self, of: PathId, word: WordId) -> Meaning {
        let name = self.collected().words.get(word).name;
        self.names().member_of_path(of, name, Namespace::Type)
    }

    /// Finds the member that `name` means in `x.name`, by the type of `x` where it is known.
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

    /// Finds the members that `name` may mean in `x.name` where the type of `x` is not known.
    fn member(&self, word: WordId) -> Resolution {
        let of_field = self.collected().words.get(word).hint == Hint::Field;
        let name = self.collected().words.get(word).name;
        let known = &self.names().resolver.members;
        let found = known.borrow().get(&(name, of_field)).cloned();
        let found = found.unwrap_or_else(|| {
            let found = self.members_named(name, of_field);
            known
                .borrow_mut()
                .insert((name, of_field), Rc::clone(&found));
            found
        });
        match found.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Maybe(found.to_vec()),
        }
    }

    /// Returns the fields, or the methods, of a name.
    fn members_named(&self, name: NameId, of_field: bool) -> Rc<[DefId]> {
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
        found.into()
    }

    fn is_method(&self, definition: &Definition) -> bool {
        let parent = self.collected().kind_of_parent(definition);
        definition.kind == DefKind::Function
            && matches!(parent, Some(DefKind::Trait | DefKind::Impl))
    }

    /// Resolves a word without syntax, such as one in the body of a macro, to whatever has the name
    /// there.
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
}
