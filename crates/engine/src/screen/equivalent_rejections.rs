//! Candidates that differ in nothing but names that occur only once: the verdict about one holds
//! for all of them.
//!
//! See docs/decisions/queries.md.

use crate::store::Digest;
use std::collections::HashMap;

/// An index of candidates that differ in nothing but names that occur only once.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    /// For each candidate's key, the digest of the candidate without the names that occur only once
    /// in it.
    rests: HashMap<Digest, Digest>,
    /// The key of the first candidate that was asked about, by its digest without names that occur
    /// only once.
    asked: HashMap<Digest, Digest>,
    /// The key of the first candidate whose verdict a search has used, by its digest without names that occur only
    /// once. It does not depend on how many workers there are.
    used: HashMap<Digest, Digest>,
}

impl Alike {
    /// Notes a candidate by its key and by the digest `rest` without lone names, and returns the first candidate that
    /// has the same `rest`.
    pub(crate) fn first_asked(&mut self, key: Digest, rest: Digest) -> Digest {
        self.rests.insert(key, rest);
        *self.asked.entry(rest).or_insert(key)
    }

    /// Notes that a candidate's verdict is used, and returns the first such candidate that differs from it in lone
    /// names only; itself if there is none.
    pub(crate) fn first_used(&mut self, key: Digest) -> Digest {
        match self.rests.get(&key) {
            Some(rest) => *self.used.entry(*rest).or_insert(key),
            None => key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [Digest; 3] = [[1; 32], [2; 32], [3; 32]];

    #[test]
    fn the_first_of_those_that_are_alike_is_found() {
        let mut alike = Alike::default();
        assert_eq!(alike.first_asked(KEYS[0], [9; 32]), KEYS[0]);
        assert_eq!(alike.first_asked(KEYS[1], [9; 32]), KEYS[0]);
        assert_eq!(alike.first_asked(KEYS[2], [8; 32]), KEYS[2]);
        assert_eq!(alike.first_used(KEYS[1]), KEYS[1]);
        assert_eq!(alike.first_used(KEYS[0]), KEYS[1]);
        assert_eq!(alike.first_used([4; 32]), [4; 32]);
    }
}
