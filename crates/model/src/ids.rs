//! The numbers by which a model names its parts. Each is an index that holds for one model alone.

use reduce_syntax::{Element, FileId};
use std::ops::Range;

/// The first byte of a name in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The file.
    pub file: FileId,
    /// The byte, counted from 0.
    pub at: usize,
}

/// A byte range of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The bytes, counted from 0.
    pub range: Range<usize>,
}

impl Position {
    /// A byte of a file.
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
    /// Some bytes of a file.
    #[must_use]
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        Self { file, range }
    }

    /// Returns the position of the first byte of the place.
    #[must_use]
    pub fn start(&self) -> Position {
        Position::new(self.file, self.range.start)
    }

    /// The byte after its last.
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
            /// The number of the part at this index of its table.
            pub(crate) fn new(idx: usize) -> Self {
                Self(u32::try_from(idx).expect("a crate has fewer than 2^32 names"))
            }

            /// The index in the table of its kind.
            pub(crate) fn idx(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A definition: of an item, a member, a variable, a parameter, a label, ..
    pub DefId
}
id! {
    /// A part of the text in which definitions are visible.
    pub ScopeId
}
id! {
    /// An identifier or a lifetime at one place of the text.
    pub WordId
}
id! {
    /// A spelling.
    pub NameId
}
id! {
    /// A use declaration's leaf.
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
    /// A path at one place of the text.
    pub PathId
}
id! {
    /// A call of something by its name, or of a method.
    pub CallId
}
