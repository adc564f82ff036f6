//! The watch for changes on disk during a reduction: of the user's sources, and of the result, which
//! a person may edit. What the system tells is a hint: whether a file has changed is decided by what
//! is in it.

mod files;
mod inputs;
mod looking;
mod notices;
mod watches;

pub use files::FileWatch;
pub use inputs::watch_inputs;
#[cfg(test)]
pub(crate) use looking::Blind;
pub(crate) use looking::{Looking, Watch};
pub(crate) use watches::Watches;

#[cfg(test)]
mod tests;
