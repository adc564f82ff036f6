//! The functions that are given switches.

/// In which functions there are switches. Each has those of what stands before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// In those that any compiler permits them in.
    #[default]
    Plain,
    /// In `const` functions too, which run with a mutant only where they are not evaluated by the compiler. This takes
    /// a compiler that permits unstable features for the crate; what links it needs none.
    Constant,
    /// In functions in the definitions of macros too, as far as nothing else is named in them than before.
    MacroOperators,
    /// In all functions in the definitions of macros. Where a mutant of one does not compile is known only where the
    /// macro is called, which may be in another crate.
    Macros,
}

impl Reach {
    /// All, the one with most switches first.
    pub const ALL: [Self; 4] = [
        Self::Macros,
        Self::MacroOperators,
        Self::Constant,
        Self::Plain,
    ];
}

/// What is noted of a crate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) reach: Reach,
    /// Whether it is noted where blocks begin.
    pub(crate) has_blocks: bool,
}

impl From<Reach> for Extent {
    fn from(reach: Reach) -> Self {
        Self {
            reach,
            has_blocks: false,
        }
    }
}
