//! Our side: what the model of names says about each word of a crate.

use crate::meaning::Place;
use reduce_model::{DefId, Model, Position, Resolution};
use reduce_syntax::SourceTree;
use std::collections::BTreeMap;

/// What the model answers for a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The name at this place defines it, for certain.
    Certain(Place),
    /// One of these may define it.
    Maybe(Vec<Place>),
    /// It comes from elsewhere, for certain.
    Outside,
    /// The model does not say.
    Unknown,
}

/// The model's answers for all words of a crate.
pub type Answers = BTreeMap<Place, Answer>;

/// Asks the model about every word.
pub fn answers(sources: &SourceTree) -> Answers {
    let model = Model::new(sources);
    let place = |def: DefId| {
        let Position { file, at } = model.definition(def).name;
        Place { file, at }
    };
    let words = model.words().map(|word| {
        let Position { file, at } = model.position(word);
        let answer = match model.resolve(word) {
            Resolution::Certain(def) => Answer::Certain(place(def)),
            Resolution::Maybe(defs) => Answer::Maybe(defs.into_iter().map(place).collect()),
            Resolution::Outside => Answer::Outside,
            Resolution::Unknown => Answer::Unknown,
        };
        (Place { file, at }, answer)
    });
    words.collect()
}
