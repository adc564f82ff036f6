//! The numbers by which a model names its parts. Each is an index that holds for one model alone.

use reduce_syntax::{Element, FileId};
use std::ops::Range;

/// The first byte of a name in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The file of the name.
    pub file: FileId,
    /// The byte at which the name begins, counted from 0.
    pub at: usize,
}

/// A byte range of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file that the range is in.
    pub file: FileId,
    /// The range of bytes, counted from 0.
    pub range: Range<usize>,
}

impl Position {
    /// Makes the position of a byte of a file.
    #[must_use]
    pub fn new(file: FileId, at: usize) -> Self {
        Self { file, at }
    }

    /// Returns whether the position lies in a place.
    #[must_use]
    pub fn is_in(self, place: &Place) -> bool {
        place.file == self.file && place.range.contains(&self.at)
    }
}

impl From<&Element> for Place {
    fn from(element: &Element) -> Self {
        Self::new(element.file, element.range.clone())
    }
}

impl Place {
    /// Makes the place of some bytes of a file.
    #[must_use]
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        Self { file, range }
    }

    /// Returns the position of the first byte of the place.
    #[must_use]
    pub fn start(&self) -> Position {
        Position::new(self.file, self.range.start)
    }

    /// Returns the position after the last byte of the place.
    #[must_use]
    pub fn end(&self) -> Position {
        Position::new(self.file, self.range.end)
    }

    /// Returns the range of the place before a part of it.
    #[must_use]
    pub fn before(&self, part: &Self) -> Self {
        Self::new(self.file, self.range.start..part.range.start)
    }

    /// Returns the range of the place after a part of it.
    #[must_use]
    pub fn after(&self, part: &Self) -> Self {
        Self::new(self.file, part.range.end..self.range.end)
    }

    /// Returns whether all of the place lies in another place.
    #[must_use]
    pub fn is_within(&self, outer: &Self) -> bool {
        self.file == outer.file
            && outer.range.start <= self.range.start
            && self.range.end <= outer.range.end
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $visibility:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(u32);

        impl $name {
            /// Makes the number of the part at this index of its table.
            pub(crate) fn new(idx: usize) -> Self {
                Self(u32::try_from(idx).expect("a crate has fewer than 2^32 names"))
            }

            /// Returns the index in the table of its kind.
            pub(crate) fn idx(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// The number of a definition: of an item, a member, a variable, a parameter, a label, ..
    pub DefId
}
id! {
    /// The number of a scope, which is a part of the text in which definitions are visible.
    pub ScopeId
}
id! {
    /// The number of a word: an identifier or a lifetime at one place of the text.
    pub WordId
}
id! {
    /// The number of a name as it is spelled.
    pub NameId
}
id! {
    /// The number of an import, which is a leaf of a use declaration.
    pub ImportId
}
id! {
    /// The number of a shape of an expression.
    pub(crate) ShapeId
}
id! {
    /// The number of a shape of a type.
    pub(crate) TypeId
}
id! {
    /// The number of a path at one place of the text.
    pub PathId
}
id! {
    /// The number of a call of something by its name, or of a method.
    pub CallId
}
