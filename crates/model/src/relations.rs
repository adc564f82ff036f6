//! The relations between the parts of a crate by their names, known before a search begins: which parts use
//! which others, and how far each is from the definitions that the crash names.
//!
//! The first gives closures: a definition goes together with its users, so that a candidate does not
//! fail because of a user that was left behind. The second gives prior probabilities: what the crash
//! cannot reach is unlikely to matter. Both are guesses from spelling; the compiler decides.

mod mentions;
mod references;

use crate::ids::{Place, Position};
use crate::model::Model;
use crate::nesting::Nesting;
use crate::slice::{Seed, lasting};
pub use mentions::{Mentions, Role};
use reduce_syntax::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// Relations between the parts of one state of a crate. What they need is read once, in time that is
/// near linear in its tokens.
///
/// Parts are given as places, as those of an [`Element`](reduce_syntax::Element); they may be of any kind, and
/// lie in one another, but not overlap otherwise. A `mod x;` stands for its files.
#[derive(Clone, Copy)]
pub struct Relations<'m> {
    model: &'m Model,
}

impl<'m> Relations<'m> {
    /// Makes the relations between the parts of a crate.
    #[must_use]
    pub fn of(model: &'m Model) -> Self {
        Self { model }
    }

    /// Returns for each part the other parts that use it, as ascending indices: those with a mention of
    /// something that only this part defines. If it goes, they cannot stay, unless they are configured out.
    ///
    /// A mention means a variable, an import or an item of a block by where these are visible, and
    /// else what the crate defines once by that name; if it does so several times (such as `new`), or
    /// the name is mostly one of the standard library (such as `len`), the mention does not count. The
    /// innermost part around a mention is the user. Parts that lie in one another do not use each
    /// other. Only direct users are given.
    #[must_use]
    pub fn users(&self, parts: &[Place]) -> Vec<Vec<usize>> {
        let (nesting, declared) = (Nesting::new(parts.iter().cloned()), declared(self.model));
        let declaration = |inner: &Position| declared.get(&inner.file).copied();
        let around = |position: Position| -> Vec<usize> {
            let places = std::iter::successors(Some(position), declaration);
            places.flat_map(|place| nesting.around(place)).collect()
        };
        let mut users = vec![Vec::new(); parts.len()];
        for reference in self.model.references() {
            let using = around(reference.mention);
            let Some(&user) = using.first() else {
                continue;
            };
            let mut used = around(reference.definition);
            if !used.contains(&user) {
                used.retain(|one| !using.contains(one));
                used.into_iter().for_each(|used| users[used].push(user));
            }
        }
        for of_one in &mut users {
            of_one.sort_unstable();
            of_one.dedup();
        }
        users
    }

    /// Returns for each part the number of mentions that lead to it from the nearest seed, function bodies
    /// included; `None` if none do. What contains a seed's definition, or lies in one, has 0; but a module
    /// that is a seed does not make all that is in it relevant.
    ///
    /// A part that contains definitions is as near as the nearest of them; another one as near as the
    /// definition in which it lies.
    #[must_use]
    pub fn distances(&self, seeds: &[Seed], parts: &[Place]) -> Vec<Option<usize>> {
        let entries = &self.model.outline().nesting;
        let distances = self.model.distances(seeds);
        let distance = |part: &Place| {
            let mut within = entries.within(part).peekable();
            if within.peek().is_some() {
                return within.filter_map(|idx| distances[idx]).min();
            }
            let innermost = entries.around(part.start()).next();
            innermost.and_then(|idx| distances[idx])
        };
        parts.iter().map(distance).collect()
    }

    /// Returns the seeds as paths and names, which can still be found in later states of the crate,
    /// where lines and columns are others. A position gives the path of the innermost definition
    /// there, an impl those of its trait and its type; one outside of what has a name gives nothing.
    #[must_use]
    pub fn lasting(&self, seeds: &[Seed]) -> Vec<Seed> {
        let lasting = seeds.iter().flat_map(|seed| lasting(self.model, seed));
        let lasting: BTreeSet<Seed> = lasting.collect();
        lasting.into_iter().collect()
    }
}

/// Returns the position of the `mod x;` of each file.
fn declared(model: &Model) -> BTreeMap<FileId, Position> {
    let files = model.collected().files.iter();
    let declared = files.map(|&(file, module)| (file, model.definition(module).whole.start()));
    declared.filter(|(file, at)| at.file != *file).collect()
}

/// Returns pairs of a part and one that lies directly in it, as indices.
#[must_use]
pub fn nested_parts(parts: &[Place]) -> Vec<(usize, usize)> {
    Nesting::new(parts.iter().cloned()).pairs().collect()
}

#[cfg(test)]
mod tests;
