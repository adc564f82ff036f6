//! The output directory: the files that we write into it, and a person's edits of them.

mod copy;
mod directory;
mod edits;
mod hold;

pub use copy::copy_best;
pub use directory::{OTHERS, directory_from};
pub(crate) use directory::{OutputDirectory, Place, SupportFile, directories_from};
pub(crate) use edits::HandEdit;
