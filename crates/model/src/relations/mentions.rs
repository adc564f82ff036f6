//! The mentions of definitions, to be looked up by mention or by definition, and all words with
//! some spelling.

use super::references::is_own_path;
use crate::ids::{Place, Position};
use crate::model::Model;
use crate::names::Hint;
use reduce_syntax::FileId;
use std::collections::{BTreeMap, HashMap};

/// The definitions that the names of a crate mean, as far as spelling and scopes tell. A position is
/// the first byte of a name.
#[derive(Debug)]
pub struct Mentions {
    of_definition: BTreeMap<Position, Vec<Position>>,
    definition: HashMap<Position, Position>,
    spelled: HashMap<String, Vec<Spelled>>,
}

/// A word with some spelling, whether or not its meaning is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelled {
    pub file: FileId,
    /// The first byte of the word.
    pub at: usize,
    pub role: Role,
}

/// The syntax around a word, as its neighbours tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The word stands alone, begins a path, or is the name of a definition.
    Plain,
    /// The name of a field that is read or set: `x.name`.
    Field,
    /// The name of a method that is called: `x.name(..)`.
    Method,
    /// The last name of a path: `a::name`, `<T>::name`.
    PathEnd,
}

impl Spelled {
    /// Returns the position of the word.
    #[must_use]
    pub fn position(self) -> Position {
        Position::new(self.file, self.at)
    }
}

impl Mentions {
    /// Looks up the meanings of all names of a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let (mut of_definition, mut definition) = (BTreeMap::new(), HashMap::new());
        for reference in model.references() {
            let mentions: &mut Vec<Position> =
                of_definition.entry(reference.definition).or_default();
            mentions.push(reference.mention);
            definition
                .entry(reference.mention)
                .or_insert(reference.definition);
        }
        for mentions in of_definition.values_mut() {
            mentions.sort_unstable();
            mentions.dedup();
        }
        Self {
            of_definition,
            definition,
            spelled: spelled(model),
        }
    }

    /// Returns the mentions of a definition, in order. There may be others, of a name that the
    /// crate defines several times or that is mostly the standard library's.
    pub fn of(&self, definition: Position) -> &[Position] {
        self.of_definition
            .get(&definition)
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the mentions of all definitions whose names stand in a place.
    pub fn of_all_in(&self, place: &Place) -> impl Iterator<Item = Position> {
        let definitions = self.of_definition.range(place.start()..place.end());
        definitions.flat_map(|(_, mentions)| mentions.iter().copied())
    }

    /// Returns the definition that a mention means, if that is known. A shorthand field means the
    /// field and a variable; an imported name the import: then the first of them.
    pub fn definition(&self, mention: Position) -> Option<Position> {
        self.definition.get(&mention).copied()
    }

    /// Returns all words of this spelling, definitions too, in order; those in attributes are left
    /// out.
    pub fn spelled(&self, name: &str) -> &[Spelled] {
        self.spelled.get(name).map_or(&[], Vec::as_slice)
    }
}

fn spelled(model: &Model) -> HashMap<String, Vec<Spelled>> {
    let mut found: HashMap<String, Vec<Spelled>> = HashMap::new();
    for word in model.words() {
        let text = model.text(word);
        let role = match model.hint(word) {
            Hint::Silent => continue,
            _ if text.starts_with('\'') || is_own_path(text) => continue,
            Hint::Field => Role::Field,
            Hint::Method => Role::Method,
            Hint::After(_) => Role::PathEnd,
            Hint::Plain | Hint::MacroCall | Hint::Definition | Hint::Binding | Hint::Captured => {
                Role::Plain
            }
        };
        let Position { file, at } = model.position(word);
        let spelled = Spelled { file, at, role };
        found.entry(text.to_owned()).or_default().push(spelled);
    }
    found
}
