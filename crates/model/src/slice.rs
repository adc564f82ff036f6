//! Slices: the part of a crate that is reachable, by name, from the definitions that the crash
//! names. One query about a slice can take a crate from 50,000 lines to 500.
//!
//! - `entries` makes the outline of a crate: it lists what may go, with the names that reach it and those that it mentions.
//! - `seeds` finds what a crash names.
//! - `fields` finds the fields and variants that nothing names.
//! - `statements` finds the statements of a body that a crash points at, with what they need.
//! - `reach` follows names, by spelling: one reaches every definition that has it, and after a dot every member. Imports are
//!   followed by what the model says that they import.
//! - `known` is what rustc, or the model, says that entries mention, so that these reach nothing else.
//! - `opaque` writes types without what is in them.
//! - `callers` finds chains of callers, for a crash that shows when code is made.
//! - `growing` begins with little, and adds what the compiler misses.
//! - `parts` are all items with what each needs, for a crash that names nothing.
//!
//! See docs/decisions/slices.md.

mod callers;
mod entries;
mod fields;
mod growing;
mod known;
mod needs;
mod opaque;
mod parts;
mod reach;
mod seeds;
mod statements;

use crate::compiler_names::CompilerNames;
use crate::ids::Place;
use crate::model::Model;
use crate::outline::Kind;
pub use callers::{CallChains, Spare};
pub use growing::{Contents, GrowingSlice, Lack};
use known::Known;
pub use parts::KnownParts;
use reach::Reach;
use reduce_syntax::{EditSet, FileId};
pub(crate) use seeds::lasting;
pub use statements::BodyEnd;

/// A place or name in the crate that a crash mentions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seed {
    /// A line and column, both from 1, of a file.
    Position(FileId, usize, usize),
    /// A member, by its name, of the impl or trait at a line and column, both from 1, of a file.
    Member(FileId, usize, usize, String),
    /// An identifier.
    Name(String),
    /// The name of a definition, after the names of the modules or types that it stands in,
    /// outermost first. Those decide between definitions of one name, as far as they still stand
    /// around it.
    Path(Vec<String>),
}

/// The width of a slice: how much of the crate it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceWidth {
    /// The largest number of steps from a seed at which the body of a function stays and counts.
    pub body_distance: usize,
    /// The number of times that the users of the seeds become seeds too: a crash in code generation
    /// needs the call that makes an instance.
    pub users: usize,
    /// Whether imports of names that the crate does not define stay although nothing names them: a method may be of an
    /// imported trait.
    pub with_imports: bool,
}

/// The entries that come into a slice although nothing in it names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unnamed {
    /// Neither members of the crate's own traits, nor impls of these for types of other crates.
    Neither,
    /// Members of traits.
    Members,
    /// Members of traits, and impls of the crate's traits for all types of other crates.
    All,
}

impl Model {
    /// Returns the edits that leave only what is reachable from the seeds. Bodies that are further
    /// away than the width says do not count, and are emptied.
    ///
    /// Returns `None` if the seeds name no definition.
    #[must_use]
    pub fn slice(&self, seeds: &[Seed], width: SliceWidth) -> Option<EditSet> {
        self.sliced(Reach::new(self, width.body_distance), seeds, width)
    }

    fn sliced(&self, mut reach: Reach<'_>, seeds: &[Seed], width: SliceWidth) -> Option<EditSet> {
        reach.with_imports = width.with_imports;
        let named: Vec<usize> = self.named_by(seeds).collect();
        reach.start_from(named);
        if reach.is_empty() {
            return None;
        }
        for _ in 0..width.users {
            reach.start_from_users();
        }
        reach.close();
        Some(reach.edits())
    }

    /// Returns a slice for each of some widths as [`Self::slice`] does, but by what rustc has printed: a name reaches the
    /// one definition that it means. Bodies without which their functions do not compile stay.
    ///
    /// There are none if the seeds name no definition, or rustc has printed nothing of them.
    #[must_use]
    pub fn slices_by_compiler(
        &self,
        names: &CompilerNames,
        seeds: &[Seed],
        widths: &[SliceWidth],
    ) -> Vec<EditSet> {
        let Some(known) = Known::new(self, names) else {
            return Vec::new();
        };
        if !self.named_by(seeds).any(|idx| known.of(idx).is_some()) {
            return Vec::new();
        }
        let slices = widths.iter().filter_map(|width| {
            let mut reach = Reach::new(self, width.body_distance);
            reach.known = Some(&known);
            self.sliced(reach, seeds, *width)
        });
        slices.collect()
    }

    /// Returns the edits that leave all that is outside of a place, such as a module, and of the items in it only those
    /// that are reachable from outside, or from seeds in it. Bodies in it that are further away than `body_distance`
    /// are emptied. What nothing names comes along as `unnamed` says.
    #[must_use]
    pub fn slice_within(
        &self,
        place: &Place,
        seeds: &[Seed],
        body_distance: usize,
        unnamed: Unnamed,
    ) -> EditSet {
        let mut reach = Reach::within(self, place, body_distance, unnamed);
        reach.start_from(self.named_by(seeds));
        reach.close();
        reach.edits()
    }

    /// Returns for each entry of the outline the number of mentions of names that lead there from the nearest seed, bodies
    /// included. `None` is what no seed leads to.
    ///
    /// Members of a trait that is a seed are as near as the trait. An import is one step from the
    /// nearest mention of what it imports; one of unknown names is as near as its module.
    pub(crate) fn distances(&self, seeds: &[Seed]) -> Vec<Option<usize>> {
        let mut reach = Reach::new(self, usize::MAX);
        reach.follows_own_names = false;
        let named: Vec<usize> = self.named_by(seeds).collect();
        let is_trait = |of: usize| self.outline().all[of].kind == Kind::Trait;
        let is_named = |of: usize| is_trait(of) && named.contains(&of);
        reach.start_from_all(|entry| entry.parent.is_some_and(is_named));
        reach.start_from(named);
        reach.close();
        let all = 0..self.outline().all.len();
        all.map(|idx| reach.distance_of(idx)).collect()
    }

    /// Returns the functions whose bodies are not empty, but for those that do not compile with
    /// another body.
    #[must_use]
    pub fn functions_with_bodies(&self) -> Vec<Seed> {
        seeds::with_bodies(self)
    }

    /// Returns whether seeds name a definition of the program.
    #[must_use]
    pub fn is_named_by(&self, seeds: &[Seed]) -> bool {
        self.named_by(seeds).next().is_some()
    }

    fn named_by<'m>(&'m self, seeds: &'m [Seed]) -> impl Iterator<Item = usize> + 'm {
        seeds.iter().flat_map(|seed| seeds::named(self, seed))
    }
}

#[cfg(test)]
mod tests;
