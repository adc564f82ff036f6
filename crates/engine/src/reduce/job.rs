//! The keys by which jobs are stored, and the resumption of an interrupted job.

use crate::Failure;
use crate::candidate::{Candidate, CompileOptions};
use crate::request::SearchOptions;
use crate::session::Session;
use crate::store::Digest;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_guard::{Fidelity, PackageSpec};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// The version of jobs, which is raised when the same job would take other steps than an older
/// program took, so that its checkpoints do not fit.
const JOB_VERSION: u32 = 8;

/// The keys of a job and of its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JobKeys {
    /// The digest of the command with all that its verdicts depend on.
    pub(super) job: Digest,
    /// The digest of the command without the compiler: with another compiler the same command is
    /// another job.
    pub(super) command: Digest,
}

impl JobKeys {
    /// Makes the keys of a job, as [`job_key`] makes them.
    pub(super) fn of(
        oracle: &Digest,
        original: &SourceTree,
        how: (&SearchOptions, Fidelity, &[PackageSpec]),
        output: &Utf8Path,
    ) -> Self {
        Self {
            job: job_key(oracle, original, how, output),
            command: job_key(&[0; 32], original, how, output),
        }
    }
}

/// Returns the key by which a job is stored. Two commands are the same job if they reduce the same input in
/// the same way, as faithfully, with the same packages to mutate, to the same place. `oracle` is what decides
/// a verdict of the original with all flags.
fn job_key(
    oracle: &Digest,
    original: &SourceTree,
    how: (&SearchOptions, Fidelity, &[PackageSpec]),
    output: &Utf8Path,
) -> Digest {
    let how = serde_json::to_vec(&how).expect("names and numbers can be written");
    let mut hasher = blake3::Hasher::new();
    hasher.update(&JOB_VERSION.to_le_bytes());
    hasher.update(oracle);
    hasher.update(&original.digest());
    hasher.update(&how);
    hasher.update(output.as_str().as_bytes());
    *hasher.finalize().as_bytes()
}

/// Goes on from the last accepted step of a job that was interrupted, if it was.
pub(super) fn resume(session: &mut Session<'_>, original: &SourceTree) -> Result<bool, Failure> {
    let Some(checkpoint) = session.tools.kept.checkpoint() else {
        return Ok(false);
    };
    let files = checkpoint
        .files
        .into_iter()
        .map(|(path, text)| (Utf8PathBuf::from(path), text));
    let root = original.path(original.root());
    let Some(tree) = SourceTree::from_files(root, files) else {
        return Ok(false);
    };
    let compile_options = CompileOptions {
        linkage: Arc::new(checkpoint.linkage),
        is_main: checkpoint.is_main,
        ..CompileOptions::default()
    };
    let state = Candidate {
        tree,
        compile_options,
    };
    let state = session.judged_anew(state)?;
    session.resume_with(checkpoint.step, state, checkpoint.skipped)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Algorithm, Closure, Prior, Strategy};

    fn key(search: SearchOptions, output: &str) -> Digest {
        let root = Utf8Path::new("lib.rs");
        let files = [(root.to_owned(), Arc::from("fn f() {}"))];
        let original = SourceTree::from_files(root, files).unwrap();
        job_key(
            &[1; 32],
            &original,
            (&search, Fidelity::Test, &[]),
            output.into(),
        )
    }

    #[test]
    fn each_option_of_the_search_makes_another_job() {
        let default = SearchOptions::default();
        let others = [
            SearchOptions {
                algorithm: Algorithm::Cdd,
                ..default
            },
            SearchOptions {
                strategy: Strategy::Worklist,
                ..default
            },
            SearchOptions { seed: 1, ..default },
            SearchOptions {
                initial_probability: Some("0.3".parse().unwrap()),
                ..default
            },
            SearchOptions {
                prior: Prior::Reachable,
                ..default
            },
            SearchOptions {
                closure: Closure::Alone,
                ..default
            },
            SearchOptions {
                as_main: true,
                ..default
            },
        ];
        for other in others {
            assert_ne!(key(other, "/out"), key(default, "/out"), "{other:?}");
        }
    }

    #[test]
    fn the_same_command_is_the_same_job() {
        let default = SearchOptions::default();
        assert_eq!(key(default, "/out"), key(default, "/out"));
        assert_ne!(key(default, "/out"), key(default, "/elsewhere"));
    }
}
