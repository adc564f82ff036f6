//! Finds the definition that each mention means, where that is certain or as good as certain: a wrong
//! guess would make too much go along with a definition.

use crate::definitions::DefKind;
use crate::ids::{DefId, Position, WordId};
use crate::model::{Model, Resolution};
use crate::names::Hint;
use crate::reference::Reference;
use crate::scopes::{PathStart, WordRole};
use crate::std_names::{is_common_member, is_in_prelude};
use std::collections::HashMap;

impl Model {
    /// Returns all references of the crate, in the order of the mentions.
    pub(crate) fn references(&self) -> &[Reference] {
        self.references.get_or_init(|| references(self))
    }
}

/// Returns all references of a crate, in the order of the mentions.
fn references(model: &Model) -> Vec<Reference> {
    let references = References {
        model,
        unique: Unique::of(model),
    };
    let of_word = |word: WordId| {
        let mention = model.position(word);
        let definitions = references.meanings(word).into_iter();
        definitions.map(move |definition| Reference {
            mention,
            definition,
        })
    };
    model.words().flat_map(of_word).collect()
}

/// The definitions whose name no other definition has. A program that does not compile mentions some
/// of them where they are not visible, and yet they belong together.
struct Unique<'m> {
    /// The definitions but for fields, variables and parameters, by name; `None` where several have
    /// the name.
    general: HashMap<&'m str, Option<DefId>>,
    /// The fields, by name, as these are mentioned in other ways than all else.
    fields: HashMap<&'m str, Option<DefId>>,
}

impl<'m> Unique<'m> {
    fn of(model: &'m Model) -> Self {
        let (mut general, mut fields) = (HashMap::new(), HashMap::new());
        for (def, definition) in model.definitions() {
            let Some(text) = model.name(def) else {
                continue;
            };
            let names = match definition.kind {
                DefKind::Field => &mut fields,
                kind if kind.is_local() || model.is_member_of_trait_impl(def) => continue,
                _ if is_in_prelude(text) => continue,
                _ => &mut general,
            };
            names
                .entry(text)
                .and_modify(|one| *one = None)
                .or_insert(Some(def));
        }
        Self { general, fields }
    }
}

struct References<'m> {
    model: &'m Model,
    unique: Unique<'m>,
}

impl References<'_> {
    /// Returns the names that a word refers to: the import that makes it visible comes first, and a
    /// field before a variable.
    fn meanings(&self, word: WordId) -> Vec<Position> {
        let model = self.model;
        if is_own_path(model.text(word)) {
            return match model.role(word) {
                WordRole::ImportName(_) => self
                    .likely(word, &model.resolve(word))
                    .into_iter()
                    .collect(),
                _ => Vec::new(),
            };
        }
        let mut found = Vec::new();
        match model.role(word) {
            WordRole::Definition(def) => {
                found.push(model.definition(def).name);
                found.extend(self.name_in_trait(def));
            }
            WordRole::ShorthandPattern(..) => found.extend(self.likely(word, &model.field(word))),
            WordRole::ShorthandField(_, variable) => {
                found.extend(self.likely(word, &model.field(word)));
                found.extend(model.importing(variable));
                found.extend(self.likely(word, &model.resolve(word)));
            }
            WordRole::Segment(path, idx) => {
                if idx == 0 && model.starts(path) == PathStart::Scope {
                    found.extend(model.importing(path));
                }
                found.extend(self.likely(word, &model.resolve(word)));
            }
            WordRole::Pattern(path, _) => {
                found.extend(model.importing(path));
                found.extend(self.likely(word, &model.resolve(word)));
            }
            WordRole::ImportName(_) => {}
            // A member of an impl of a trait stands for that of the trait.
            WordRole::Member(_) => {
                let resolution = model.resolve(word);
                found.extend(self.likely(word, &resolution));
                if let Resolution::Certain(def) = resolution {
                    found.extend(self.name_in_trait(def));
                }
            }
            _ => found.extend(self.likely(word, &model.resolve(word))),
        }
        found.retain(|&definition| definition != model.position(word));
        found
    }

    /// Returns the position of the trait's member that a member of an impl stands for.
    fn name_in_trait(&self, def: DefId) -> Option<Position> {
        let in_trait = self.model.implemented_member(def)?;
        Some(self.model.definition(in_trait).name)
    }

    /// Returns the position of the definition that is certain, or of the only one that may be meant,
    /// if it has the same name.
    fn likely(&self, word: WordId, resolution: &Resolution) -> Option<Position> {
        let text = self.model.text(word);
        let def = match resolution {
            Resolution::Certain(def) => *def,
            Resolution::Maybe(defs) => match defs[..] {
                [def] if !is_common_member(text) => def,
                _ => return None,
            },
            Resolution::Unknown => self.unique(word)?,
            Resolution::Outside => return None,
        };
        let is_same = self.model.name(def) == Some(text) || text == "self";
        is_same.then(|| self.model.definition(def).name)
    }

    /// Returns the only definition of a name.
    fn unique(&self, word: WordId) -> Option<DefId> {
        let text = self.model.text(word);
        let names = match self.model.hint(word) {
            Hint::Silent => return None,
            Hint::Field => &self.unique.fields,
            _ => &self.unique.general,
        };
        let def = names.get(text).copied().flatten()?;
        let is_member = matches!(
            self.model.kind_of_parent(def),
            Some(DefKind::Trait | DefKind::Impl | DefKind::Struct | DefKind::Union)
        );
        match self.model.hint(word) {
            Hint::Method if !is_member => None,
            _ => (!is_member || !is_common_member(text)).then_some(def),
        }
    }
}

/// Returns whether a word begins a path into this crate, and means nothing else.
pub(super) fn is_own_path(text: &str) -> bool {
    matches!(text, "Self" | "self" | "super" | "crate")
}
