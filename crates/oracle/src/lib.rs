//! Decides whether a candidate still crashes rustc in the same way.
mod cancel;
mod signature;
mod target;
mod verdict;

pub use cancel::Cancel;
pub use signature::{CrashKind, Signature};
pub use target::{FileInput, Input, PackageInput, Surroundings, TargetSelection};
pub use verdict::Verdict;
