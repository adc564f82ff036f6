//! Searches for the failure in the user's program, by runs of cargo and of the program, before there are candidates.
//!
//! - `wanted`: the facts about a kind of failure.
//! - `setting`: the settings that are the same for all steps: the user's options, the toolchain, what was noted.
//! - `workspace`: the runs of cargo on a copy of the user's workspace.
//! - `other_version`: another version of the workspace that the user names.
//! - `original`: the program as it was found, run in the sandbox and outside.

pub(crate) mod context;
pub(crate) mod failure_info;
pub(crate) mod original;
pub(crate) mod other_version;
pub(crate) mod workspace;
