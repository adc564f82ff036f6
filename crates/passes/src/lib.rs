//! The passes of a reduction: what each proposes to remove, replace or rewrite; and what makes a
//! result look as if a person had written it.

mod assertions;
mod endless;
mod entry;
mod flatten;
mod macro_arguments;
mod passes;
mod program;
mod readable;
mod visit;

pub use assertions::asserts_constants;
pub use endless::{Halting, halting_at_loops};
pub use entry::test_as_main;
pub use flatten::flattenings_at_level;
pub use passes::{
    COARSE_PASSES, FINE_PASSES, PASSES, Pass, Rewriter, STRUCTURAL_PASSES, StdItem, Work,
    std_items, std_names, std_words,
};
pub use program::Program;
pub use readable::{canonical_names, idiomatic_order};
