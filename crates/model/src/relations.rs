//! What is known, by name, before a search begins: which parts of a crate use which others, and how
//! far each is from what the crash names.
//!
//! The first gives closures: a definition goes together with its users, so that a candidate does not
//! fail because of a user that was left behind. The second gives prior probabilities: what the crash
//! cannot reach is unlikely to matter. Both are guesses from spelling; the compiler decides.

mod elements;
mod mentions;
mod nesting;
mod references;

use crate::ids::{Place, Position};
use crate::model::Model;
use crate::slice::definitions::{Definitions, Kind};
use crate::slice::{self, Seed};
use elements::Elements;
pub use mentions::{Mentions, Role};
pub(crate) use nesting::{Nesting, nesting};
use reduce_syntax::{FileId, SourceTree};
use references::{Reference, references};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Relations between the parts of one state of a crate. Reads it once, in time that is near linear
/// in its tokens.
///
/// Parts are given as the byte ranges of their files, as in [`Element`](reduce_syntax::Element); they may be
/// of any kind, and lie in one another, but not overlap otherwise. A `mod x;` stands for its files.
#[derive(Debug)]
pub struct Relations {
    sources: SourceTree,
    definitions: Rc<Definitions>,
    references: Vec<Reference>,
    /// Where the `mod x;` of each file stands.
    declared: BTreeMap<FileId, Position>,
}

impl Relations {
    /// Parses and reads a crate.
    #[must_use]
    pub fn new(sources: &SourceTree) -> Self {
        Self::of(&Model::new(sources))
    }

    /// Reads a crate that is parsed.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let definitions = model.outline();
        Self {
            sources: model.sources().clone(),
            references: references(model),
            declared: declared(&definitions),
            definitions,
        }
    }

    /// For each part, which others use it, as ascending indices: those with a mention of something
    /// that only this part defines. If it goes, they cannot stay, unless they are configured out.
    ///
    /// A mention means a variable, an import or an item of a block by where these are visible, and
    /// else what the crate defines once by that name; if it does so several times (such as `new`), or
    /// the name is mostly one of the standard library (such as `len`), the mention does not count. The
    /// innermost part around a mention is the user. Parts that lie in one another do not use each
    /// other. Only direct users are given.
    #[must_use]
    pub fn users(&self, parts: &[Place]) -> Vec<Vec<usize>> {
        let elements = Elements::new(parts, &self.declared);
        let mut users = vec![Vec::new(); parts.len()];
        for reference in &self.references {
            if let Some((user, used)) = elements.user_and_used(reference) {
                used.into_iter().for_each(|used| users[used].push(user));
            }
        }
        for of_one in &mut users {
            of_one.sort_unstable();
            of_one.dedup();
        }
        users
    }

    /// For each part, how many mentions lead to it from the nearest seed, function bodies included;
    /// `None` if none do. What contains a seed's definition, or lies in one, has 0; but a module that
    /// is a seed does not make all that is in it relevant.
    ///
    /// A part that contains definitions is as near as the nearest of them; another one as near as the
    /// definition in which it lies.
    #[must_use]
    pub fn distances(&self, seeds: &[Seed], parts: &[Place]) -> Vec<Option<usize>> {
        let distances = slice::distances(&self.definitions, &self.sources, seeds);
        let all = self.definitions.all.iter();
        let ranges = nesting(all.map(|one| Place::new(one.file, one.range.clone())));
        let distance = |Place { file, range }: &Place| {
            let mut within = ranges.within(*file, range).peekable();
            if within.peek().is_some() {
                return within.filter_map(|idx| distances[idx]).min();
            }
            let innermost = ranges.around(*file, range.start).next();
            innermost.and_then(|idx| distances[idx])
        };
        parts.iter().map(distance).collect()
    }

    /// The seeds as paths and names, which can still be found in later states of the crate, where
    /// lines and columns are others. A position gives the path of the innermost definition there, an
    /// impl those of its trait and its type; one outside of what has a name gives nothing.
    #[must_use]
    pub fn lasting(&self, seeds: &[Seed]) -> Vec<Seed> {
        let mut lasting: Vec<Seed> = seeds
            .iter()
            .flat_map(|seed| match seed {
                Seed::Position(file, line, column) => self.paths_at(*file, *line, *column),
                Seed::Name(_) | Seed::Path(_) => vec![seed.clone()],
            })
            .collect();
        lasting.sort_unstable();
        lasting.dedup();
        lasting
    }

    fn paths_at(&self, file: FileId, line: usize, column: usize) -> Vec<Seed> {
        let at = slice::offset(&self.sources, file, line, column);
        let mut place = at.and_then(|at| self.definitions.innermost(file, at));
        while let Some(idx) = place {
            let found = self.paths_of(idx);
            if !found.is_empty() {
                return found;
            }
            place = self.definitions.all[idx].parent;
        }
        Vec::new()
    }

    fn paths_of(&self, idx: usize) -> Vec<Seed> {
        let definition = &self.definitions.all[idx];
        let path = self.definitions.path(idx);
        match &definition.kind {
            Kind::Impl { of_trait, of_type } => {
                let n_own = usize::from(of_trait.is_some()) + usize::from(of_type.is_some());
                let (around, own) = path.split_at(path.len() - n_own);
                let with_own = |name: &String| [around, std::slice::from_ref(name)].concat();
                own.iter().map(|name| Seed::Path(with_own(name))).collect()
            }
            _ if definition.names.is_empty() => Vec::new(),
            _ => vec![Seed::Path(path)],
        }
    }
}

fn declared(definitions: &Definitions) -> BTreeMap<FileId, Position> {
    let of_file = |(&file, module): (&FileId, &Option<usize>)| {
        let module = &definitions.all[(*module)?];
        Some((file, Position::new(module.file, module.range.start)))
    };
    definitions.modules.iter().filter_map(of_file).collect()
}

/// Pairs of a part and one that lies directly in it, as indices.
#[must_use]
pub fn nested_parts(parts: &[Place]) -> Vec<(usize, usize)> {
    nesting(parts.iter().cloned()).pairs().collect()
}

#[cfg(test)]
mod tests;
