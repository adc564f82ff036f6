//! The functions that are given switches.

/// A set of functions that have switches. Each variant has the functions of the ones before it. Each has those of what
/// stands before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The functions in which any compiler permits switches.
    #[default]
    Plain,
    /// The `const` functions too, which run with a mutant only where they are not evaluated by the compiler. This
    /// takes a compiler that permits unstable features for the crate; what links it needs none.
    Constant,
    /// The functions in the definitions of macros too, as far as their mutants name nothing that was not named before.
    MacroOperators,
    /// All functions in the definitions of macros. Where a mutant of one does not compile is known only where the
    /// macro is called, which may be in another crate.
    Macros,
}

impl Reach {
    /// All sets, the one with most switches first.
    pub const ALL: [Self; 4] = [
        Self::Macros,
        Self::MacroOperators,
        Self::Constant,
        Self::Plain,
    ];
}

/// The points of a crate at which mutants are noted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) reach: Reach,
    /// Whether the beginnings of blocks are noted.
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
