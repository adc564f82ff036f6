//! Defines what a pass guarantees to keep of a program, whichever of its edits is made and compiles. A compiler's crash does not
//! care; a test that fails for the same reason as before does.

use std::fmt;

/// The part of a program's meaning that stays when an edit of a pass is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keeps {
    /// Nothing stays for certain: statements, arguments or types may be removed or replaced.
    Nothing,
    /// The types stay: each replacement has the type that its place needs. It may be worth something else, do something else, or
    /// be evaluated at another time.
    Types,
    /// The behaviour stays: what the program computes when it runs, and in which order. What goes is named by nothing that stays;
    /// the few things that run without being named, such as a `Drop`, whoever runs the program has to look after. Names as
    /// `Debug` or a panic prints them may change, and so may lines, sizes and what only the hygiene of macros tells apart.
    Behaviour,
}

impl Keeps {
    /// Returns the word that names the guarantee in lists for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Types => "types",
            Self::Behaviour => "behaviour",
        }
    }
}

impl fmt::Display for Keeps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
