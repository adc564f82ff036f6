//! A slice that begins with too little, and grows by what the compiler misses in it: at first it has no implementation that
//! nothing names, and no member of the crate's own traits that nothing mentions. What names mean is said by the compiler; of
//! a module that is too large for that, by the model.
//!
//! - `lacks` reads in the words of an error what is missing.
//! - `trimmings` are derived traits, comments and visibilities.

mod lacks;
mod trimmings;

use super::known::Known;
use super::needs::Needs;
use super::opaque::Opaque;
use super::reach::Reach;
use super::{Seed, Unnamed};
use crate::compiler_names::CompilerNames;
use crate::ids::Place;
use crate::model::Model;
use crate::outline::Kind;
pub use lacks::Lack;
use lacks::Missing;
use reduce_syntax::EditSet;
use trimmings::Trimmings;

/// A slice that begins with too little, and grows by what the compiler misses in it.
pub struct GrowingSlice<'m> {
    model: &'m Model,
    known: Known,
    /// The types that begin without contents.
    opaque: Opaque,
    start: Start,
    needs: Needs,
    trimmings: Trimmings,
    /// Whether the bodies of the functions in the slice stay, with what they need.
    has_bodies: bool,
}

/// The fields and variants that the types of a slice keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// The types keep all fields and variants.
    Whole,
    /// The types keep no fields and variants at first, and all of those of a type once the compiler
    /// misses one of them.
    Needed,
}

/// The entries with which a slice begins.
enum Start {
    /// The slice begins with entries of the outline, by what the compiler says that names mean.
    Entries(Vec<usize>),
    /// The slice begins with all that is outside of a place.
    Outside(Place),
}

impl Model {
    /// Makes a slice of what the seeds lead to: of impls, derived traits and defaults it has only those that a body names.
    /// `None` if the seeds name no definition, or the compiler has printed nothing about it.
    #[must_use]
    pub fn growing_slice(&self, names: &CompilerNames, seeds: &[Seed]) -> Option<GrowingSlice<'_>> {
        let known = Known::new(self, names)?;
        let seeds: Vec<usize> = self.named_by(seeds).collect();
        let is_known = seeds.iter().any(|idx| known.of(*idx).is_some());
        is_known.then(|| GrowingSlice {
            trimmings: Trimmings::of(self),
            ..GrowingSlice::new(self, known, Opaque::default(), Start::Entries(seeds))
        })
    }

    /// Makes a slice like [`Self::growing_slice`] of a program that is too large for the compiler to print: names mean what
    /// the model resolves. `None` if the seeds name no definition.
    #[must_use]
    pub fn growing_slice_resolved(
        &self,
        seeds: &[Seed],
        contents: Contents,
    ) -> Option<GrowingSlice<'_>> {
        let seeds: Vec<usize> = self.named_by(seeds).collect();
        let opaque = match contents {
            Contents::Whole => Opaque::default(),
            Contents::Needed => Opaque::of_all(self, &seeds),
        };
        (!seeds.is_empty()).then(|| GrowingSlice {
            trimmings: Trimmings::of(self),
            ..GrowingSlice::resolved(self, opaque, Start::Entries(seeds))
        })
    }

    /// Makes a slice of all that is outside of a place, such as the module of a merged crate, and of the items in it that
    /// this names, as far as the model resolves names. Bodies in the place are emptied, but for those without which their
    /// functions do not compile. An item that is not named is left out at first.
    #[must_use]
    pub fn growing_slice_within(&self, place: &Place, contents: Contents) -> GrowingSlice<'_> {
        let opaque = match contents {
            Contents::Whole => Opaque::default(),
            Contents::Needed => Opaque::within(self, place),
        };
        GrowingSlice::resolved(self, opaque, Start::Outside(place.clone()))
    }
}

impl<'m> GrowingSlice<'m> {
    fn resolved(model: &'m Model, opaque: Opaque, start: Start) -> Self {
        Self::new(model, Known::resolved(model, &opaque), opaque, start)
    }

    fn new(model: &'m Model, known: Known, opaque: Opaque, start: Start) -> Self {
        Self {
            model,
            known,
            opaque,
            start,
            needs: Needs::default(),
            trimmings: Trimmings::default(),
            has_bodies: false,
        }
    }
}

impl GrowingSlice<'_> {
    /// Makes the slice one for a program that is run: all bodies stay, and so do derived traits, comments
    /// and visibilities of items.
    #[must_use]
    pub fn with_bodies(self) -> Self {
        Self {
            trimmings: Trimmings::default(),
            has_bodies: true,
            ..self
        }
    }

    /// Returns the edits that leave only the slice of the program. The bodies of what are no seeds
    /// are emptied, unless they stay.
    #[must_use]
    pub fn edits(&self) -> EditSet {
        let reach = self.reach();
        let all = self.model.outline().all.iter().enumerate();
        let mut modules = all.filter(|(_, entry)| entry.kind == Kind::Module);
        let has_modules = modules.any(|(idx, _)| reach.distance_of(idx).is_some());
        let mut edits = reach.edits();
        let kept = &self.needs.derived;
        self.trimmings
            .remove(self.model, kept, !has_modules, &mut edits);
        edits
    }

    /// Adds the definitions to the slice that the compiler misses in it. Returns whether the slice
    /// has grown.
    pub fn add(&mut self, lacks: &[Lack]) -> bool {
        let missing = self.missing(lacks);
        let before = self.needs.len();
        self.needs.entries.extend(missing.entries);
        self.needs.imported.extend(missing.imported);
        self.needs.derived.extend(missing.derived);
        self.needs.transparent.extend(missing.transparent);
        before < self.needs.len()
    }

    fn missing(&self, lacks: &[Lack]) -> Needs {
        let reach = self.reach();
        let is_left_out = |idx| reach.distance_of(idx).is_none();
        let mut missing = Missing::new(self.model, &self.known, is_left_out);
        missing.in_slice = reach.owners().collect();
        missing.opaque = reach.opaque_types().collect();
        let derived = self.trimmings.derived.iter();
        missing.derived = derived
            .filter(|one| !self.needs.derived.contains(&one.element))
            .collect();
        let mut needs = missing.of(lacks);
        let found = std::mem::take(&mut needs.derived);
        let derived = self.trimmings.derived.iter();
        let derived = derived.filter(|one| found.contains(&one.element));
        needs.derived = derived
            .flat_map(|one| self.trimmings.with_needed(one))
            .collect();
        needs
    }

    fn reach(&self) -> Reach<'_> {
        match &self.start {
            Start::Entries(seeds) => self.reach_of(seeds),
            Start::Outside(place) => self.reach_within(place),
        }
    }

    fn reach_within(&self, place: &Place) -> Reach<'_> {
        let mut reach = Reach::within(self.model, place, 0, Unnamed::Neither);
        reach.known = Some(&self.known);
        reach.opaque = Some(&self.opaque);
        reach.needs = Some(&self.needs);
        reach.start_from_needs(&self.needs);
        reach.close();
        reach
    }

    fn reach_of(&self, seeds: &[usize]) -> Reach<'_> {
        let body_distance = if self.has_bodies { usize::MAX } else { 0 };
        let mut reach = Reach::new(self.model, body_distance);
        reach.known = Some(&self.known);
        reach.opaque = Some(&self.opaque);
        reach.needs = Some(&self.needs);
        // The calls of macros that have made a called function are known.
        reach.with_calls = !(self.has_bodies && self.known.has_bodies());
        reach.unnamed = Unnamed::Neither;
        reach.start_from(seeds.iter().copied());
        reach.start_from_needs(&self.needs);
        reach.close();
        reach
    }
}
