//! The numbers by which a model names its parts. Each is an index that holds for one model alone.

use reduce_syntax::FileId;
use std::ops::Range;

/// The first byte of a name in a file.
pub type Position = (FileId, usize);

/// A byte range of a file.
pub type Place = (FileId, Range<usize>);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

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
    DefId
}
id! {
    /// A part of the text in which definitions are visible.
    ScopeId
}
id! {
    /// An identifier or a lifetime at one place of the text.
    WordId
}
id! {
    /// A spelling.
    NameId
}
id! {
    /// A use declaration's leaf.
    ImportId
}
id! {
    /// A path at one place of the text.
    PathId
}
