//! What names mean, in the words that both sides of the comparison share: a place in a file, what is
//! meant at it, and the verdicts of one judge on a crate.

use reduce_syntax::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// The first byte of a name in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub file: FileId,
    pub at: usize,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// The crate defines it, by the name at this place.
    Inside(Place),
    /// The crate defines it by this name, but the judge does not say where: a macro made the definition.
    Unplaced(String),
    /// It comes from elsewhere: the standard library, another crate, the language.
    Outside,
}

/// What a judge says about the names of one crate. It is silent on a place that is not in here.
///
/// A place has several meanings where it is several mentions at once: the `x` of `S { x }` is a field
/// and a variable, a `use` imports a type and a macro of one name, a word in the body of a macro is read
/// once for each call.
#[derive(Debug, Default)]
pub struct Verdicts {
    meanings: BTreeMap<Place, BTreeSet<Meaning>>,
}

impl Verdicts {
    /// Adds a meaning of the name at a place.
    pub fn add(&mut self, place: Place, meaning: Meaning) {
        self.meanings.entry(place).or_default().insert(meaning);
    }

    /// Takes back what another judge contradicts, who knows more. Returns how many names that are.
    #[cfg(any(test, feature = "analyzer"))]
    pub fn yield_to(&mut self, other: &Self) -> usize {
        let before = self.meanings.len();
        self.meanings.retain(|place, meant| {
            let theirs = other.meanings.get(place);
            theirs.is_none_or(|theirs| may_agree(theirs, meant))
        });
        before - self.meanings.len()
    }

    /// Everything that was said, by place.
    pub fn iter(&self) -> impl Iterator<Item = (Place, &BTreeSet<Meaning>)> {
        self.meanings.iter().map(|(&place, meant)| (place, meant))
    }

    /// What was said about the name at a place.
    pub fn get(&self, place: Place) -> Option<&BTreeSet<Meaning>> {
        self.meanings.get(&place)
    }
}

/// Whether what two judges say of one name can be true together.
#[cfg(any(test, feature = "analyzer"))]
fn may_agree(one: &BTreeSet<Meaning>, other: &BTreeSet<Meaning>) -> bool {
    let is_unplaced = |meaning: &Meaning| matches!(meaning, Meaning::Unplaced(_));
    one.iter().any(is_unplaced) || !one.is_disjoint(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::SourceTree;

    #[test]
    fn who_knows_less_yields() {
        let file = SourceTree::single("a.rs".into(), "".into()).root();
        let place = |at| Place { file, at };
        let inside = |at| Meaning::Inside(place(at));
        let (mut one, mut other) = (Verdicts::default(), Verdicts::default());
        for at in 0..3 {
            one.add(place(at), inside(7));
        }
        other.add(place(0), inside(7));
        other.add(place(0), Meaning::Outside);
        other.add(place(1), Meaning::Outside);
        other.add(place(2), Meaning::Unplaced("a".to_owned()));
        assert_eq!(one.yield_to(&other), 1);
        assert_eq!(one.get(place(1)), None);
        assert_eq!(one.iter().count(), 2);
    }
}
