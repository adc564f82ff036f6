//! The parts of a program on which its unsafe code depends. Where a candidate is to have no undefined behaviour that the
//! program before had not, and nobody can run it to see that, the values that its unsafe code reads have to come about as
//! before.
//!
//! The rule is safe rather than fine. Code that stands in unsafe code stays as it is or goes. Whatever may write something
//! that it names stays with all that this names in turn, whole functions that are called included. Names are compared as
//! they are spelled. A body that is written as MIR is looked at more closely (`mir`): there a local is read only where it
//! has a value on each way to that.

mod mir;
mod pieces;

use pieces::{Piece, Reading};
use reduce_syntax::{Parsed, SourceTree};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the function with which a program begins.
const MAIN: &str = "main";

/// The pieces of a program on which its unsafe code may depend, each with the names that it may
/// write.
#[derive(Debug, Default)]
pub struct UnsafeCode {
    pieces: Vec<Piece>,
    /// The names of items and fields, which mean the same in all functions.
    shared: BTreeSet<String>,
    /// The number of times that a body written as MIR reads a local that need not have a value there, by function.
    reads_of_nothing: BTreeMap<String, usize>,
}

impl UnsafeCode {
    /// Reads a program; `None` where syn does not understand it.
    #[must_use]
    pub fn of(sources: &SourceTree) -> Option<Self> {
        let mut code = Self::default();
        for (_, _, text) in sources.files() {
            let parsed = Parsed::new(text);
            Reading::of(text, &mut code).file(parsed.file()?);
        }
        Some(code)
    }

    /// Returns whether the program has unsafe code.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.pieces.iter().any(|piece| piece.is_unsafe)
    }

    /// Says in words for a person what a candidate has lost of this program though its unsafe code depends on it.
    #[must_use]
    pub fn lost_in(&self, candidate: &Self) -> Option<String> {
        let reads = candidate.reads_of_nothing.iter().find(|(owner, count)| {
            let before = self.reads_of_nothing.get(*owner);
            **count > before.copied().unwrap_or(0)
        });
        if let Some((owner, _)) = reads {
            return Some(format!("`{owner}` may read a local that has no value"));
        }
        let there = counted(&candidate.pieces, |_| true);
        let before = counted(&self.pieces, |_| true);
        let roots = candidate.roots();
        let is_root = |idx: usize| roots.contains(&idx);
        let changed = counted(&candidate.pieces, is_root);
        if let Some(lost) = missing(&changed, &before) {
            return Some(format!("unsafe code in `{}` has changed", lost.0));
        }
        let needed = self.needed(candidate, &roots);
        let needed = counted(&self.pieces, |idx| needed.contains(&idx));
        let (owner, _) = missing(&needed, &there)?;
        Some(format!(
            "unsafe code depends on what is gone from `{owner}`"
        ))
    }

    /// Returns the pieces with unsafe code, the conditions that decide whether they are run, and
    /// the calls of functions that have them.
    fn roots(&self) -> BTreeSet<usize> {
        let mut roots = BTreeSet::new();
        let mut owners = BTreeSet::new();
        for (idx, piece) in self.pieces.iter().enumerate() {
            if piece.is_unsafe {
                roots.insert(idx);
                roots.extend(&piece.headers);
                owners.insert(piece.owner.as_str());
            }
        }
        loop {
            let callers = self.pieces.iter().enumerate().filter(|(idx, piece)| {
                !roots.contains(idx) && piece.mentions().any(|name| owners.contains(name))
            });
            let callers: Vec<usize> = callers.map(|(idx, _)| idx).collect();
            if callers.is_empty() {
                return roots;
            }
            owners.extend(callers.iter().map(|&idx| self.pieces[idx].owner.as_str()));
            roots.extend(callers);
        }
    }

    /// Returns the pieces of this program on which the unsafe code of a candidate depends.
    fn needed(&self, candidate: &Self, roots: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut wanted = Wanted {
            shared: &self.shared,
            everywhere: BTreeSet::new(),
            of_owner: BTreeSet::new(),
        };
        let owners = roots.iter().map(|&idx| &candidate.pieces[idx].owner);
        let owners: BTreeSet<&str> = owners.map(String::as_str).collect();
        for &idx in roots {
            // The parts of a function with unsafe code that matter follow from that code.
            let piece = &candidate.pieces[idx];
            let is_called = |name: &str| piece.calls.as_deref() == Some(name);
            let is_other = |name: &str| piece.is_unsafe && !is_called(name);
            wanted.add(piece, |name| is_other(name) || !owners.contains(name));
        }
        let reached = self.reached();
        let mut needed = BTreeSet::new();
        let mut owners = BTreeSet::new();
        loop {
            let open = reached.iter().copied().filter(|idx| !needed.contains(idx));
            let more = open.filter_map(|idx| {
                let piece = &self.pieces[idx];
                let how = wanted.depends_on(piece);
                let is_on_the_way = || piece.mentions().any(|name| owners.contains(name));
                (how || is_on_the_way()).then_some((idx, how))
            });
            let more: Vec<(usize, bool)> = more.collect();
            if more.is_empty() {
                return needed;
            }
            for (idx, is_for_its_value) in more {
                let piece = &self.pieces[idx];
                for &one in piece.headers.iter().chain([&idx]) {
                    let piece = &self.pieces[one];
                    match is_for_its_value || one != idx {
                        true => wanted.add(piece, |_| true),
                        false => wanted.add(piece, |name| !owners.contains(name)),
                    }
                    needed.insert(one);
                }
                owners.insert(piece.owner.as_str());
            }
        }
    }

    /// Returns the pieces that the program may run, as their names tell.
    fn reached(&self) -> Vec<usize> {
        let mut names = BTreeSet::from([MAIN]);
        let mut reached = BTreeSet::new();
        loop {
            let more = self.pieces.iter().enumerate().filter(|(idx, piece)| {
                let is_named = names.contains(piece.owner.as_str());
                let is_implied = piece.implied_by.as_deref();
                let is_implied = is_implied.is_some_and(|name| names.contains(name));
                !reached.contains(idx) && (is_named || is_implied)
            });
            let more: Vec<usize> = more.map(|(idx, _)| idx).collect();
            if more.is_empty() {
                return reached.into_iter().collect();
            }
            names.extend(more.iter().flat_map(|&idx| self.pieces[idx].mentions()));
            reached.extend(more);
        }
    }
}

/// Names whose values matter to unsafe code.
struct Wanted<'a> {
    shared: &'a BTreeSet<String>,
    /// The names that matter in all functions.
    everywhere: BTreeSet<String>,
    /// The names that matter in one function, each after the function's name.
    of_owner: BTreeSet<(String, String)>,
}

impl Wanted<'_> {
    /// Adds the names that a piece names or calls, of those that are meant.
    fn add(&mut self, piece: &Piece, is_meant: impl Fn(&str) -> bool) {
        for name in piece.mentions().filter(|name| is_meant(name)) {
            match self.shared.contains(name) {
                true => self.everywhere.insert(name.to_owned()),
                false => {
                    let own = (piece.owner.clone(), name.to_owned());
                    self.of_owner.insert(own)
                }
            };
        }
    }

    /// Returns whether a piece belongs to an item that matters, or may write a name that matters.
    fn depends_on(&self, piece: &Piece) -> bool {
        let is_of_item = self.everywhere.contains(&piece.owner);
        let is_implied = piece.implied_by.as_ref();
        let is_implied = is_implied.is_some_and(|name| self.everywhere.contains(name));
        let is_written = |name: &String| {
            let own = (piece.owner.clone(), name.clone());
            self.everywhere.contains(name) || self.of_owner.contains(&own)
        };
        is_of_item || is_implied || piece.writes.iter().any(is_written)
    }
}

type Counted<'p> = BTreeMap<(&'p str, &'p str), usize>;

/// Counts the pieces with the same function and the same text.
fn counted(pieces: &[Piece], is_meant: impl Fn(usize) -> bool) -> Counted<'_> {
    let mut counted = Counted::new();
    for (idx, piece) in pieces.iter().enumerate() {
        if is_meant(idx) {
            *counted.entry((&piece.owner, &piece.text)).or_default() += 1;
        }
    }
    counted
}

/// Returns a piece that is more often in the first program than in the second one.
fn missing<'p>(needed: &Counted<'p>, there: &Counted<'_>) -> Option<(&'p str, &'p str)> {
    let is_missing = |(piece, count): &(&(&str, &str), &usize)| {
        there.get(*piece).is_none_or(|there| there < *count)
    };
    needed.iter().find(is_missing).map(|(piece, _)| *piece)
}

#[cfg(test)]
mod tests;
