//! The output directory: what we write into it, and what a person makes of that.

mod copy;
mod directory;
mod edits;

pub use copy::copy_best;
pub use directory::OTHERS;
pub(crate) use directory::{OutputDirectory, Place, SupportFile};
pub(crate) use edits::HandEdit;
