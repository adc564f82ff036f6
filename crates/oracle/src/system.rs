//! Starts processes with limits and limited rights, and works on files.
//!
//! - `process`: the one place that starts children, with groups, limits and bounded output.
//! - `sandbox`: the rights of started programs: files, namespaces, system calls.
//! - `private`: the user's places that a candidate never reads as a whole; the one decision for all plans.
//! - `budget`: the time that a query may use, from the time of an accepted program.
//! - `keeper`: the process that ends what is left when we are killed.
//! - `files`: file operations that say what failed.
//! - `snapshot`: a copy of the workspace, and the paths in its manifests that lead out of it.
//! - `room`: the check whether a process has failed because the disk is full.
//! - `stamp`: the marks by which a file is seen, without reading it, to be another one than before.

pub(crate) mod budget;
pub(crate) mod files;
pub mod keeper;
pub(crate) mod private;
pub(crate) mod process;
pub(crate) mod room;
pub(crate) mod sandbox;
pub(crate) mod snapshot;
pub(crate) mod stamp;
