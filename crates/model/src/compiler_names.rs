//! The meanings of the names in a crate, as rustc itself prints them with `-Zunpretty=hir-tree`: before types are
//! checked, each definition of the crate with the definitions that it mentions, through macros too.
//!
//! - `lines` reads what is printed, line by line.
//! - `bodies` reads what rustc prints of bodies once types are checked, with `-Zunpretty=thir-flat`.
//! - `numbers` gives numbers to texts.
//! - `spot` reads the places in it.
//!
//! The text is meant for debugging and changes from version to version, so little of it is read: which
//! definition a part is about, where that stands, and which other definitions it names. What cannot be read is as
//! if it had not been printed.

mod bodies;
mod lines;
mod numbers;
mod spot;

pub use bodies::ThirLines;
pub use lines::HirLines;
use numbers::Numbers;
use reduce_syntax::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// A line and a column of a file, both from 1. Columns are characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) file: FileId,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The meanings of the names in a crate, as far as rustc has printed them. Definitions are called by their paths as
/// rustc writes them, such as `::shapes::{impl#0}::area`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompilerNames {
    pub(crate) definitions: BTreeMap<String, Printed>,
    /// The paths that the body of each definition mentions where types are known.
    pub(crate) bodies: BTreeMap<String, BTreeSet<String>>,
}

/// A definition that rustc has printed: its place, and the definitions that it mentions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    /// The place at which the definition begins, after its attributes; `None` where a macro has made it.
    pub(crate) start: Option<Spot>,
    /// The definitions of the crate that this definition mentions, without those in it or around
    /// it.
    pub(crate) mentions: BTreeSet<PrintedMention>,
}

/// A definition of the crate that another one mentions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PrintedMention {
    /// The path of the mentioned definition.
    pub(crate) path: String,
    /// Whether the mention stands in a body: of a function, of a constant, or of an array's length.
    pub(crate) is_in_body: bool,
    /// The last place that rustc has printed before the mention, which is that of the mention in most cases. `None`
    /// where it comes from a macro.
    pub(crate) near: Option<Spot>,
}

impl CompilerNames {
    /// Returns whether rustc has printed no definition.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// Adds the mentions that rustc has printed of bodies once types were checked.
    #[must_use]
    pub fn with_bodies(self, lines: ThirLines) -> Self {
        let bodies = lines.bodies();
        Self { bodies, ..self }
    }

    /// Returns the nearest definition at or around a path that was printed as a part of its own.
    pub(crate) fn around<'p>(&self, path: &'p str) -> Option<&'p str> {
        let outer = |path: &&'p str| path.rsplit_once("::").map(|(before, _)| before);
        let mut around = std::iter::successors(Some(path), outer);
        around.find(|path| self.definitions.contains_key(*path))
    }
}

#[cfg(test)]
mod tests;
