//! The messages about what the daemon keeps across jobs: verdicts, checkpoints and compiled
//! dependencies.

use serde::{Deserialize, Serialize};

/// A command about the verdicts and compiled dependencies that are kept across jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheCommand {
    /// Say how much is kept.
    Stats,
    /// Remove what is old or too much.
    Prune(Prune),
    /// Read all that is kept, and say what cannot be read.
    Verify,
}

/// The things that `prune` removes from the store and the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prune {
    /// The number of days after which compiled dependencies that no job has used are removed.
    pub older_than_days: Option<u64>,
    /// The number of bytes that compiled dependencies may keep; beyond it, those that were unused for longest are removed.
    pub most_bytes: Option<u64>,
    /// Whether all verdicts are removed, too. Accepted steps of unfinished jobs stay.
    pub verdicts: bool,
}

/// The daemon's answer to a [`CacheCommand`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheReply {
    /// The answer to `Stats`.
    Stats(CacheStats),
    /// The answer to `Prune`.
    Pruned(Pruned),
    /// The answer to `Verify`.
    Verified(Verified),
    /// The command could not be carried out, for this reason.
    Failed(String),
}

/// The numbers and sizes of the things that are kept across jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheStats {
    /// The number of kept verdicts of the compiler.
    pub verdicts: u64,
    /// The size of the store on disk, in bytes.
    pub store_bytes: u64,
    /// The number of unfinished jobs whose last accepted step is kept.
    pub checkpoints: u64,
    /// The number of directories of compiled dependencies.
    pub builds: u64,
    /// Bytes of compiled dependencies on disk.
    pub build_bytes: u64,
    /// Questions that were answered from the store since the daemon started; `None` where none runs.
    pub hits: Option<u64>,
    /// Queries since the daemon started; `None` where none runs.
    pub queries: Option<u64>,
}

/// The numbers and sizes of the things that a `prune` removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// The number of removed directories of compiled dependencies.
    pub builds: u64,
    /// Bytes of the removed directories of compiled dependencies.
    pub build_bytes: u64,
    /// The number of removed verdicts.
    pub verdicts: u64,
    /// The number of directories of compiled dependencies that stay because jobs may use them.
    pub in_use: u64,
}

/// The numbers of entries of the store that a `verify` could read, and could not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The number of verdicts that can be read.
    pub verdicts: u64,
    /// The number of verdicts that cannot be read, each of which is asked for anew.
    pub bad_verdicts: u64,
    /// The number of unfinished jobs whose last accepted step can be read.
    pub checkpoints: u64,
    /// The number of unfinished jobs whose last accepted step cannot be read, each of which begins anew.
    pub bad_checkpoints: u64,
}
