//! Defines the pass: its name and an example, its guarantee, and which parts of a program it works on.
//!
//! See docs/decisions/edits-and-passes.md.

use crate::flatten::flattenings_at_level;
use crate::keeps::Keeps;
use crate::program::Program;
use reduce_syntax::{
    Category, EditSet, List, ListKind, Replacing, Site, SyntaxTree, sites_at_level,
};
use std::collections::HashSet;
use std::fmt;

/// A kind of change that may be made to a program, with an example.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// The pass's name, a verb phrase.
    pub name: &'static str,
    /// A line that says what the pass does.
    pub about: &'static str,
    /// A program before and after one edit of the pass.
    pub example: (&'static str, &'static str),
    /// The part of a program's meaning that the pass guarantees to keep.
    pub keeps: Keeps,
    /// The kinds of work of the pass, one after the other: a pass that is a family of changes has several.
    pub work: &'static [Work],
}

/// The parts of a program that a pass works on, which also decides how its edits are searched.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// The pass deletes elements of all lists of these kinds, which are searched as one list.
    Everywhere(&'static [ListKind]),
    /// The pass deletes elements of lists of these kinds, level by level from the root.
    ByLevel(&'static [ListKind]),
    /// The pass replaces nodes of these categories, level by level from the root.
    Replace(&'static [Category], Replacing),
    /// The pass dissolves inline modules, level by level from the root.
    Flatten,
    /// The pass makes rewrites, each in several places at once, which are searched anew after each success.
    Rewrite(Rewriter),
}

/// Finds all changes of one sort that a program may undergo, the most promising first.
#[derive(Clone, Copy)]
pub struct Rewriter(pub(crate) fn(&Program) -> Vec<EditSet>);

impl Rewriter {
    /// Returns the changes of a program, each of which alone makes the program simpler.
    #[must_use]
    pub fn changes(self, program: &Program) -> Vec<EditSet> {
        self.changes_that(program, |is_simpler| is_simpler)
    }

    /// Returns the changes of a program that do not make it simpler.
    #[must_use]
    pub fn larger_changes(self, program: &Program) -> Vec<EditSet> {
        self.changes_that(program, |is_simpler| !is_simpler)
    }

    /// Returns the changes of a program, each once, for which `is_right` accepts whether they make it simpler.
    fn changes_that(self, program: &Program, is_right: impl Fn(bool) -> bool) -> Vec<EditSet> {
        let mut changes = self.0(program);
        let mut seen = HashSet::new();
        changes.retain(|edits| {
            is_right(program.is_made_simpler_by(edits))
                && seen.insert(edits.fingerprint_of_places())
        });
        changes
    }
}

impl fmt::Debug for Rewriter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rewriter")
    }
}

impl Pass {
    /// Whether the pass is among the passes of `group`.
    #[must_use]
    pub fn is_one_of(&self, group: &[Self]) -> bool {
        group.iter().any(|one| one.name == self.name)
    }

    /// Returns whether the pass does nothing but delete elements of lists.
    #[must_use]
    pub fn deletes_elements(&self) -> bool {
        let of_lists = |work: &Work| matches!(work, Work::Everywhere(_) | Work::ByLevel(_));
        self.work.iter().all(of_lists)
    }

    /// Returns the smallest edits of the pass: a result from which none of them can go is 1-minimal for this pass.
    #[must_use]
    pub fn single_edits(&self, program: &Program) -> Vec<EditSet> {
        let works = self.work.iter();
        works.flat_map(|work| work.single_edits(program)).collect()
    }
}

impl Work {
    pub(crate) fn single_edits(self, program: &Program) -> Vec<EditSet> {
        let (sources, tree) = (program.sources(), program.tree());
        match self {
            Work::Everywhere(kinds) | Work::ByLevel(kinds) => single_removals(tree, kinds),
            Work::Replace(categories, replacing) => all_levels(|depth| {
                let (level, sites) = sites_at_level(sources, tree, categories, replacing, depth)?;
                Some((level, sites.iter().flat_map(Site::edits).collect()))
            }),
            Work::Flatten => all_levels(|depth| flattenings_at_level(program, depth)),
            Work::Rewrite(rewriter) => rewriter.changes(program),
        }
    }
}

fn single_removals(tree: &SyntaxTree, kinds: &[ListKind]) -> Vec<EditSet> {
    let removals = |list: &List| {
        let removal = |idx: usize| {
            let mut edits = EditSet::new();
            list.remove(&[idx], &mut edits);
            edits
        };
        (0..list.elements.len()).map(removal).collect::<Vec<_>>()
    };
    let wanted = tree.lists.iter().filter(|list| kinds.contains(&list.kind));
    wanted.flat_map(removals).collect()
}

fn all_levels(next: impl Fn(u32) -> Option<(u32, Vec<EditSet>)>) -> Vec<EditSet> {
    let mut found = Vec::new();
    let mut depth = 0;
    while let Some((level, edits)) = next(depth) {
        found.extend(edits);
        depth = level + 1;
    }
    found
}
