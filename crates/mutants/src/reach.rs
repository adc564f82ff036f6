//! Says which functions are given switches.

/// A set of functions that have switches. Each variant has the functions of the ones before it. Each has those of what
/// stands before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Only functions in which any compiler permits switches.
    #[default]
    Plain,
    /// The `const` functions too, whose mutants have an effect only where they run and are not evaluated by the compiler. This
    /// takes a compiler that permits unstable features for the crate; what links it needs none.
    Constant,
    /// Functions in the definitions of macros too, for mutants that use no name which the original does not use.
    MacroOperators,
    /// All functions, with all mutants in the definitions of macros. Where a mutant of one does not compile is known only where
    /// the macro is called, which may be in another crate.
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

/// The places of a crate at which changes are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) reach: Reach,
    /// Whether the beginnings of blocks get switches, too.
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
