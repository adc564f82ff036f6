//! Processes, files, and the limits and rights of processes.
//!
//! - `process`: the one place that starts children, with groups, limits and bounded output.
//! - `sandbox`: what is started may do: files, namespaces, system calls.
//! - `private`: which of the user's places a candidate never reads as a whole; the one decision for all plans.
//! - `budget`: how much time a query may use, from what an accepted program has used.
//! - `keeper`: sees to what is left when we are killed.
//! - `files`: file operations that say what failed.
//! - `snapshot`: a copy of the workspace, and the paths in its manifests that lead out of it.
//! - `room`: whether a process has failed because the disk is full.
//! - `stamp`: what tells without reading it that a file is another one than before.

pub(crate) mod budget;
pub(crate) mod files;
pub mod keeper;
pub(crate) mod private;
pub(crate) mod process;
pub(crate) mod room;
pub(crate) mod sandbox;
pub(crate) mod snapshot;
pub(crate) mod stamp;
