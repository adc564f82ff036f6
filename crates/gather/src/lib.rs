//! From a workspace to one text: the files of a crate, what its configuration turns off, what it
//! reads while it is compiled, its edition, its macros, and the crates that it is linked with.

mod configuration;
mod editions;
mod embed;
mod expansion;
mod inline;
mod merge;
mod modules;

pub use configuration::{Configuration, configured, decided_in_macros};
pub use editions::{Edition, UnknownEdition, in_current_grammar, in_edition};
pub use embed::{Readable, embedded};
pub use expansion::{
    expand_procedural, has_macro_calls, has_procedural_calls, tidy_expansion, with_derives,
};
pub use inline::inline_modules;
pub use merge::{CrateText, Merged, merge_crate};
pub use modules::{collect_expanded, collect_sources};
